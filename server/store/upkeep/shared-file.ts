/**
 * A file that may be on a network share, which can hang. A thread that uses it would keep its process from exiting, so a child
 * process does it. Its folder must exist: if it's on a disk that isn't mounted, a new one would hide there what's written.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { explainFileError, StoreUnusable } from '../store-errors.ts'

/** Long enough for a busy machine to start a process. */
const TIMEOUT_MS = 20_000
const NOT_RESPONDING = 'the disk or network share isn’t responding.'
const CHILD = join(import.meta.dirname, 'shared-file-child.ts')

/** Files that a child is still using after its time limit. Another child would hang, too. */
const hanging = new Set<string>()

/** Children end with this process: one that hangs would outlive it. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** What the file has, a part at a time; nothing if there's no such file. */
export const readSharedFile = (file: string, timeoutMs?: number) => runChild({ file, action: 'read', timeoutMs })

/** The lines are on disk when this resolves. */
export async function appendToSharedFile(file: string, lines: readonly string[]): Promise<void> {
  const printed = runChild({ file, action: 'append', input: lines.map(line => `${line}\n`).join('') })
  await printed.next()
}

interface Order {
  readonly file: string
  readonly action: 'read' | 'append'
  readonly input?: string
  readonly timeoutMs?: number | undefined
}

/** What the child prints. Rejects if a part, or its end, takes too long, even if the child can't be killed. */
async function* runChild({ file, action, input = '', timeoutMs = TIMEOUT_MS }: Order): AsyncGenerator<Uint8Array> {
  if (hanging.has(file)) throw new StoreUnusable(NOT_RESPONDING)
  const child = spawn(process.execPath, [CHILD, file, action], { stdio: 'pipe' })
  children.add(child)
  child.stdin.on('error', () => {}).end(input)
  const ended = endOf(child, file)
  // May reject while nobody waits for it.
  ended.catch(() => {})
  async function within<T>(work: Promise<T>): Promise<T> {
    const { promise: limit, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      hanging.add(file)
      child.once('exit', () => hanging.delete(file))
      reject(new StoreUnusable(NOT_RESPONDING))
    }, timeoutMs)
    try {
      return await Promise.race([work, limit])
    } finally {
      clearTimeout(timer)
    }
  }

  try {
    const parts = child.stdout[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await within(parts.next())
      if (done) break
      yield value
    }
    await within(ended)
  } finally {
    children.delete(child)
    if (child.exitCode === null) child.kill('SIGKILL')
  }
}

async function endOf(child: ChildProcessWithoutNullStreams, file: string): Promise<void> {
  const [output, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  if (exitCode === 0) return
  const code = /^E[A-Z]+$/.test(output) ? output : 'the process was stopped'
  if (code === 'ENOENT') throw new StoreUnusable(`the folder ${dirname(file)} doesn’t exist. Is its disk mounted?`)
  throw new StoreUnusable(explainFileError({ code }) ?? `an unexpected error (${code}).`)
}
