import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendInChild, appendLines, readSharedFile } from './shared-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shared-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([appendInChild, appendLines])(
  'lines are appended to a private file, also after one that was cut off: %o',
  async append => {
    const file = join(folder, 'list')
    expect(await readSharedFile(file)).toBeNull()
    await append(file, ['one', 'two'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, 'cut', { flag: 'a' })
    await append(file, ['three'])
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\ncut\nthree\n')
    expect(await readSharedFile(file)).toBe('one\ntwo\ncut\nthree\n')
  },
)

test('a file that can’t be used is refused with the reason', async () => {
  const uses = [() => readSharedFile(folder), () => appendInChild(folder, ['one']), () => appendLines(folder, ['one'])]
  for (const use of uses) await expect(use()).rejects.toThrow('an unexpected error (EISDIR).')
})

test('a file that hangs is refused after the time limit, and isn’t tried again while it hangs', async () => {
  const file = join(folder, 'list')
  spawnSync('mkfifo', [file])
  await expect(readSharedFile(file, 300)).rejects.toThrow('isn’t responding')
  await expect(readSharedFile(file)).rejects.toThrow('isn’t responding')
})
