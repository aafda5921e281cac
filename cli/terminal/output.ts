/** Writes to a stream at the speed of its reader, and notices when the reader is gone. */
import { Failure, ReaderGone } from '../failure.ts'
import type { OutputStream } from './surroundings.ts'

export interface Output {
  /** Resolves when the stream takes more. */
  write(text: string): Promise<void>
  /** Resolves when all is handed over. */
  flush(): Promise<void>
}

export function outputTo(stream: OutputStream): Output {
  let failure: Error | null = null
  let wake = () => {}
  const onError = (error: NodeJS.ErrnoException) => {
    failure =
      error.code === 'EPIPE'
        ? new ReaderGone()
        : new Failure(`The output cannot be written (${error.code}).`, { cause: error })
    wake()
  }
  // Stays for good: a stream may tell of a broken pipe after the last write, and unheard it would end the process.
  stream.on('error', onError)

  /** Until `start` calls back, or the stream fails: then no call back would ever come. */
  async function settled(start: (done: () => void) => void): Promise<void> {
    if (!failure) {
      await new Promise<void>(resolve => {
        wake = resolve
        start(resolve)
      })
    }
    if (failure) throw failure
  }

  return {
    async write(text) {
      if (failure) throw failure
      // Where the stream takes more at once, a turn of the event loop all the same: only in it are failures told.
      const takesMore = stream.write(text)
      await settled(done => (takesMore ? setImmediate(done) : stream.once('drain', done)))
    },
    flush: () => settled(done => stream.write('', () => done())),
  }
}
