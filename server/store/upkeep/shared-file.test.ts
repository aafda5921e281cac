import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendToSharedFile, readSharedFile } from './shared-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shared-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = async (file: string, timeoutMs?: number) => String(await buffer(readSharedFile(file, timeoutMs)))

test('lines are appended to a private file, also after one that was cut off', async () => {
  const file = join(folder, 'list')
  expect(await read(file)).toBe('')
  await appendToSharedFile(file, ['one', 'two'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'cut', { flag: 'a' })
  await appendToSharedFile(file, ['three'])
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\ncut\nthree\n')
  expect(await read(file)).toBe('one\ntwo\ncut\nthree\n')
})

test('a file that can’t be used is refused with the reason', async () => {
  for (const use of [() => read(folder), () => appendToSharedFile(folder, ['one'])]) {
    await expect(use()).rejects.toThrow('an unexpected error (EISDIR).')
  }
})

test('a missing folder isn’t made: its disk may be away', async () => {
  const missing = join(folder, 'missing')
  await expect(appendToSharedFile(join(missing, 'list'), ['one'])).rejects.toThrow('Is its disk mounted?')
  expect(existsSync(missing)).toBe(false)
})

test('a file that hangs is refused after the time limit, and isn’t tried again while it hangs', async () => {
  const file = join(folder, 'list')
  spawnSync('mkfifo', [file])
  await expect(read(file, 300)).rejects.toThrow('isn’t responding')
  await expect(read(file)).rejects.toThrow('isn’t responding')
})
