import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { formatNumber } from '../../domain/text/numbers.ts'
import { newFolder } from '../../tests/support/after-test.ts'
import { OutputClosed } from '../command.ts'
import { outputTo } from './output.ts'

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

test('nothing that’s printed moves the cursor, hides, or writes over a line; colors, lines, and tables stay', async () => {
  const written: string[] = []
  const out = outputTo(new Writable({ write: (chunk, _encoding, done) => done(void written.push(String(chunk))) }))
  const forged = [
    '\u001b[1A\u001b[2KGenuine',
    '\u009b2KGenuine',
    'x\rGenuine',
    '\u001b[8mhidden',
    'a\u202eb',
    '\u001b[30mblack',
  ]
  for (const text of forged) await out.write(text)
  const shown = [' [1A [2KGenuine', ' 2KGenuine', 'x Genuine', ' [8mhidden', 'a b', ' [30mblack']
  expect(written).toEqual(shown)
  const ours = '\u001b[1mNote\u001b[22m \u001b[33mwarning\u001b[39m\tone\r\ntwo\n'
  await out.write(ours)
  expect(written.at(-1)).toBe(ours)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no partial file behind', async signal => {
  const folder = newFolder()
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
