import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { OutputClosed } from '../command.ts'
import { outputTo } from './output.ts'
import { formatNumber } from './text.ts'

test('numbers have thousands separators', () => expect(formatNumber(1201)).toBe('1,201'))

test('a write waits for the reader; a closed pipe isn’t a write error', async () => {
  let isRead = false
  const slow = new Writable({
    write(_chunk, _encoding, done) {
      setImmediate(() => {
        isRead = true
        done()
      })
    },
  })
  await outputTo(slow).write('text')
  expect(isRead).toBe(true)
  const failingWith = (code: string) =>
    outputTo(new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) }))
  await expect(failingWith('EPIPE').write('line')).rejects.toBeInstanceOf(OutputClosed)
  await expect(failingWith('ENOSPC').write('line')).rejects.toThrow('Can’t write the output: the disk is full.')
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no partial file behind', async signal => {
  const folder = mkdtempSync(join(tmpdir(), 'partial-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = `
    import { writeFileWith } from ${JSON.stringify(join(import.meta.dirname, 'output.ts'))}
    await writeFileWith(${JSON.stringify(join(folder, 'leads.csv'))}, async output => {
      await output.write('part of a file')
      console.log('written')
      await new Promise(() => setInterval(() => {}, 60_000))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(existsSync(join(folder, 'leads.csv.part'))).toBe(true)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([null, signal])
  expect(readdirSync(folder)).toEqual([])
})
