/**
 * A file that may be on a network share, which can hang. The thread that uses it must not be the one that serves people, and a
 * process can't exit before its threads do.
 */
import { execFile } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeFolder } from '../files.ts'
import { explainFileError, StoreUnusable } from '../store-errors.ts'

/** Long enough for a busy machine to start a process. */
const TIMEOUT_MS = 20_000
const NOT_RESPONDING = 'the disk or network share isn’t responding.'

const run = promisify(execFile)

/** Reads the file and prints it as JSON, null if there's none, or appends standard input. Prints an error's code, and fails. */
const CHILD = `
  const { appendFileSync, readFileSync } = require('node:fs')
  const [file, action] = process.argv.slice(1)
  const read = () => {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      if (error.code === 'ENOENT') return null
      throw error
    }
  }
  try {
    if (action === 'read') process.stdout.write(JSON.stringify(read()))
    else appendFileSync(file, (/[^\\n]$/.test(read() ?? '') ? '\\n' : '') + readFileSync(0, 'utf8'), { mode: 0o600, flush: true })
  } catch ({ code }) {
    process.stderr.write(String(code))
    process.exitCode = 1
  }`

/** Files that a child is still using after its time limit. Another child would hang, too. */
const hanging = new Set<string>()

/** Null if there's no such file. */
export async function readSharedFile(file: string, timeoutMs = TIMEOUT_MS): Promise<string | null> {
  return JSON.parse(await runChild(file, 'read', '', timeoutMs))
}

/** For a server: a child process does it, so a share that hangs doesn't keep the server from stopping. The folder must exist. */
export async function appendInChild(file: string, lines: readonly string[], timeoutMs = TIMEOUT_MS): Promise<void> {
  await runChild(file, 'append', `${lines.join('\n')}\n`, timeoutMs)
}

async function runChild(file: string, action: 'read' | 'append', input: string, timeoutMs: number): Promise<string> {
  if (hanging.has(file)) throw new StoreUnusable(NOT_RESPONDING)
  // Rejects at the time limit even if the child can't be killed.
  const signal = AbortSignal.timeout(timeoutMs)
  const options = { signal, killSignal: 'SIGKILL', maxBuffer: Number.POSITIVE_INFINITY } as const
  const running = run(process.execPath, ['--eval', CHILD, file, action], options)
  running.child.stdin?.on('error', () => {}).end(input)
  const kill = () => void running.child.kill('SIGKILL')
  process.once('exit', kill)
  try {
    return (await running).stdout
  } catch (error) {
    if (signal.aborted) {
      hanging.add(file)
      running.child.once('exit', () => hanging.delete(file))
      throw new StoreUnusable(NOT_RESPONDING, { cause: error })
    }
    throw unusable(error, (error as { readonly stderr?: string }).stderr)
  } finally {
    process.off('exit', kill)
  }
}

/** The lines are on disk when this resolves. */
export async function appendLines(file: string, lines: readonly string[], timeoutMs = TIMEOUT_MS): Promise<void> {
  const limit = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    throw new StoreUnusable(NOT_RESPONDING)
  })
  await Promise.race([append(file, lines), limit])
}

async function append(file: string, lines: readonly string[]): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await openToAppend(file)
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    // If the disk was full, the last line may be cut off.
    const isCutOff = size > 0 && buffer.toString() !== '\n'
    await handle.appendFile(`${isCutOff ? '\n' : ''}${lines.join('\n')}\n`)
    await handle.sync()
  } catch (error) {
    throw error instanceof StoreUnusable ? error : unusable(error)
  } finally {
    await handle?.close()
  }
}

async function openToAppend(file: string): Promise<FileHandle> {
  const openFile = () => open(file, 'a+', 0o600)
  return await openFile().catch(error => {
    if (error.code !== 'ENOENT') throw error
    makeFolder(dirname(file), 'ERASURE_LIST')
    return openFile()
  })
}

function unusable(error: unknown, code = (error as NodeJS.ErrnoException).code): StoreUnusable {
  const reason = explainFileError({ code }) ?? `an unexpected error (${code}).`
  return new StoreUnusable(reason, { cause: error })
}
