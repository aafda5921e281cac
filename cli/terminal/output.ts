/** Output with backpressure, and atomic file writes, so an export file is never incomplete. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { forTerminal, plain } from '../../server/export/plain-text.ts'
import { explainFileError } from '../../server/store/store-errors.ts'
import { CommandError, type Output, OutputClosed, type OutputStream } from '../command.ts'

export function outputTo(stream: OutputStream): Output {
  // A stream may report a broken pipe after the last write. Without a listener, that would crash the process.
  stream.on('error', () => {})
  return {
    write: text =>
      new Promise((resolve, reject) => {
        stream.write(forTerminal(text), (error?: NodeJS.ErrnoException | null) => {
          if (!error) resolve()
          else if (error.code === 'EPIPE') reject(new OutputClosed())
          else reject(new CommandError(`Can’t write the output: ${explainFileError(error) ?? `${error.code}.`}`))
        })
      }),
  }
}

/** Only the owner can read the file. It gets its final name when it's complete. */
export async function writeFileWith(file: string, work: (output: Output) => Promise<void>): Promise<void> {
  refuseExisting(file)
  const part = `${file}.part`
  await removeOnInterrupt(part, async () => {
    try {
      await rm(part, { force: true })
      const handle = await open(part, 'wx', 0o600)
      await work({ write: text => handle.appendFile(text) }).finally(() => handle.close())
      await rename(part, file)
    } catch (error) {
      await rm(part, { force: true })
      const reason = explainFileError(error)
      throw reason === null ? error : new CommandError(`Can’t write ${file}: ${reason}`)
    }
  })
}

export function refuseExisting(file: string): void {
  if (existsSync(file)) throw new CommandError(`${file} already exists. Remove it or choose another name.`)
}

export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CommandError(`Can’t read ${plain(file)}.`)
  }
}

/** If the process is interrupted before `work` is done, deletes the file or folder first. */
export async function removeOnInterrupt<T>(file: string, work: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const onSignal = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true, recursive: true })
    stopListening()
    // Send the signal again without our listener, so the shell sees the right exit status.
    process.kill(process.pid, signal)
  }
  const stopListening = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await work()
  } finally {
    stopListening()
  }
}
