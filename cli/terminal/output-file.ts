/** A file for personal data: only its owner may read it, and half of it never passes for all of it. */
import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { explainFileError } from '../../server/store/store-errors.ts'
import { Failure } from '../failure.ts'
import { type Output, outputTo } from './output.ts'

/** What `work` writes gets its name only when it is complete. */
export async function writeFileWith(file: string, work: (output: Output) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw new Failure(`${file} exists already. Remove it or choose another name.`)
  const part = `${file}.part`
  await removedOnInterrupt(part, async () => {
    await rm(part, { force: true })
    const stream = createWriteStream(part, { flags: 'wx', mode: 0o600 })
    try {
      await work(outputTo(stream))
      stream.end()
      await finished(stream)
      await rename(part, file)
    } catch (error) {
      stream.destroy()
      await rm(part, { force: true })
      const reason = error instanceof Failure ? error.cause : error
      if (reason instanceof Error && 'code' in reason) {
        throw new Failure(`${file} cannot be written: ${explainFileError(reason) ?? 'an unexpected error.'}`)
      }
      throw error
    }
  })
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Ctrl+C, or a polite end by the system, must not leave half a file of personal data behind: until `work` is over, an interruption removes the file and then ends the
 * process, as it would have.
 */
export async function removedOnInterrupt<T>(file: string, work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true })
    stopListening()
    // Sent again, now that nobody listens: the shell is told how the process ended.
    process.kill(process.pid, signal)
  }
  const stopListening = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  try {
    return await work()
  } finally {
    stopListening()
  }
}
