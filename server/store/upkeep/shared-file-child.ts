/** The process that shared-file.ts starts: `FILE read` or `FILE append`. If it fails, it prints the error's code. */
import { appendFileSync, createReadStream, fstatSync, fsyncSync, openSync, readFileSync, readSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

const [file = '', action] = process.argv.slice(2)
const STDIN = 0
const PRIVATE = 0o600
const NEWLINE = '\n'.charCodeAt(0)

async function read(): Promise<void> {
  await pipeline(createReadStream(file), process.stdout).catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
}

function append(input: Buffer): void {
  const handle = openSync(file, 'a+', PRIVATE)
  const { size } = fstatSync(handle)
  const last = Buffer.alloc(1)
  // If the disk was full, the last line may be cut off.
  const isCutOff = size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
  appendFileSync(handle, isCutOff ? Buffer.concat([Buffer.from('\n'), input]) : input)
  fsyncSync(handle)
}

try {
  if (action === 'read') await read()
  else append(readFileSync(STDIN))
} catch (error) {
  process.stderr.write(String((error as NodeJS.ErrnoException).code))
  process.exitCode = 1
}
