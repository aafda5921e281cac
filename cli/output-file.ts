/** A file for personal data: only its owner may read it, and half of it never passes for all of it. */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { explain } from '../server/leads/sqlite-errors.ts'
import { Failure } from './failure.ts'
import { removedOnInterrupt } from './interrupt.ts'
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
      if (reason instanceof Error && 'code' in reason)
        throw new Failure(`${file} cannot be written: ${explain(reason)}`)
      throw error
    }
  })
}
