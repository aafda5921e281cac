/**
 * A file that may be on a network share, which can hang. A thread that uses it would keep its process from exiting, so a child
 * process does it. Its folder must exist: if it's on a disk that isn't mounted, a new one would hide there what's written.
 */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { explainFileError, StoreUnusable } from '../store-errors.ts'

/** Long enough for a busy machine to start a process. */
const TIMEOUT_MS = 20_000
const NOT_RESPONDING = 'the disk or network share isn’t responding.'
const CHILD = join(import.meta.dirname, 'shared-file-child.ts')

/** Files that a child is still using after its time limit. Another child would hang, too. */
const hanging = new Set<string>()

/** They end with this process: one that hangs would outlive it. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** What the file has, a part at a time; nothing if there's no such file. */
export async function* readSharedFile(file: string, timeoutMs = TIMEOUT_MS): AsyncGenerator<Uint8Array> {
  const child = startChild(file, 'read', timeoutMs)
  try {
    child.stdin.end()
    yield* child.parts()
    await child.end()
  } finally {
    child.release()
  }
}

/** The lines are on disk when this resolves. */
export async function appendToSharedFile(file: string, lines: readonly string[], timeoutMs = TIMEOUT_MS) {
  const child = startChild(file, 'append', timeoutMs)
  try {
    child.stdin.end(textOf(lines))
    await child.end()
  } finally {
    child.release()
  }
}

/** Replaces what the file has by other lines; null leaves it as it is. Rejects if someone else is rewriting it. */
export async function rewriteSharedFile(
  file: string,
  rewrite: (parts: AsyncIterable<Uint8Array>) => Promise<readonly string[] | null>,
): Promise<void> {
  const child = startChild(file, 'rewrite', TIMEOUT_MS)
  try {
    child.stdin.end(textOf((await rewrite(child.parts())) ?? []))
    await child.end()
  } finally {
    child.release()
  }
}

const textOf = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('')

function startChild(file: string, action: 'read' | 'append' | 'rewrite', timeoutMs: number) {
  if (hanging.has(file)) throw new StoreUnusable(NOT_RESPONDING)
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(process.execPath, [CHILD, file, action], {
    stdio: 'pipe',
  })
  child.stdin.on('error', () => {})
  children.add(child)
  const ended = endOf(child, file)
  // It may reject while nobody waits for it.
  ended.catch(() => {})
  /** Rejects at the time limit even if the child can't be killed. */
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

  return {
    stdin: child.stdin,
    async *parts(): AsyncGenerator<Uint8Array> {
      const parts = child.stdout[Symbol.asyncIterator]()
      for (;;) {
        const { done, value } = await within(parts.next())
        if (done) return
        yield value
      }
    },
    end: () => within(ended),
    release() {
      children.delete(child)
      if (child.exitCode === null) child.kill('SIGKILL')
    },
  }
}

async function endOf(child: ChildProcessByStdio<Writable, Readable, Readable>, file: string): Promise<void> {
  const [output, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  if (exitCode === 0) return
  const code = /^E[A-Z]+$/.test(output) ? output : 'the process was stopped'
  if (code === 'ENOENT') throw new StoreUnusable(`the folder ${dirname(file)} doesn’t exist. Is its disk mounted?`)
  throw new StoreUnusable(explainFileError({ code }) ?? `an unexpected error (${code}).`)
}
