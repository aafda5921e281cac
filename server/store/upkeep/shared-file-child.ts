/** The process that shared-file.ts starts: `FILE read`, `FILE append`, or `FILE rewrite`. If it fails, it prints the error's code. */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'

const [file = '', action] = process.argv.slice(2)
const [STDIN, STDOUT] = [0, 1]
const PRIVATE = 0o600
const NEWLINE = '\n'.charCodeAt(0)
/** A process that began to rewrite the file this long ago was killed. */
const ABANDONED_MS = 60 * 60_000

function read(): void {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  copyFrom(handle, 0, STDOUT)
}

function append(input: Buffer): void {
  const handle = openSync(file, 'a+', PRIVATE)
  try {
    const { size } = fstatSync(handle)
    const last = Buffer.alloc(1)
    // If the disk was full, the last line may be cut off.
    const isCutOff = size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
    appendFileSync(handle, isCutOff ? Buffer.concat([Buffer.from('\n'), input]) : input)
    fsyncSync(handle)
    // Someone has rewritten the file at the same moment, perhaps without these lines.
    if (!isStill(file, handle)) append(input)
  } finally {
    closeSync(handle)
  }
}

/** Prints the file, and puts the input, if any, in its place. What others append at the same time is kept. */
function rewrite(): void {
  // It may be a symbolic link, which stays.
  const target = realpathSync(file)
  const part = `${target}.part`
  const { mtimeMs } = statSync(part, { throwIfNoEntry: false }) ?? {}
  if (mtimeMs !== undefined && mtimeMs < Date.now() - ABANDONED_MS) rmSync(part)
  // Fails if another process is at it.
  const copy = openSync(part, 'ax', PRIVATE)
  try {
    const old = openSync(target, 'r')
    const known = copyFrom(old, 0, STDOUT)
    closeSync(STDOUT)
    const input = readFileSync(STDIN)
    if (input.length === 0) {
      rmSync(part)
      return
    }
    appendFileSync(copy, input)
    const copied = copyFrom(old, known, copy)
    fsyncSync(copy)
    renameSync(part, target)
    // Appended since then, by someone who didn't see the new file.
    copyFrom(old, copied, copy)
    fsyncSync(copy)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Returns the position of the end. */
function copyFrom(from: number, start: number, to: number): number {
  const buffer = Buffer.alloc(64 * 1024)
  let position = start
  for (;;) {
    const length = readSync(from, buffer, 0, buffer.length, position)
    if (length === 0) return position
    for (let written = 0; written < length; ) written += writeSync(to, buffer, written, length - written)
    position += length
  }
}

function isStill(path: string, handle: number): boolean {
  const [now, then] = [statSync(path, { bigint: true, throwIfNoEntry: false }), fstatSync(handle, { bigint: true })]
  return now?.dev === then.dev && now.ino === then.ino
}

try {
  if (action === 'read') read()
  else if (action === 'append') append(readFileSync(STDIN))
  else rewrite()
} catch (error) {
  process.stderr.write(String((error as NodeJS.ErrnoException).code))
  process.exitCode = 1
}
