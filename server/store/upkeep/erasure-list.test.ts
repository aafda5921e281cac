import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendChanges, type LoggedChange, readChanges } from './erasure-list.ts'

let folder: string
let list: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'list-'))
  list = join(folder, 'erasures.txt')
})
afterEach(() => rmSync(folder, { recursive: true }))

const id = '0197f0a0-0000-7000-8000-000000000001'
const at = Date.UTC(2030, 0, 16)
async function logged() {
  const all: LoggedChange[] = []
  for await (const changes of readChanges(list)) all.push(...changes)
  return all
}
const stop = (what: string, time = at): LoggedChange => ({ at: time, kind: 'do-not-call', what })

test('every kind of change comes back as it was logged', async () => {
  const changes: readonly LoggedChange[] = [
    { at, kind: 'erased', what: id },
    { at, kind: 'dismissed', what: id },
    stop('2125550177'),
    { at, kind: 'may-be-called', what: 'o#brien@example.org' },
    // As 0.7.0 accepted them, and as someone may type them on /stop.
    ...['a,b@example.org', 'zed@example', `'ann@example.org`, 'ann@b\u0378.org'].map(what => stop(what)),
    // More than is read at once.
    ...Array.from({ length: 2000 }, (_, index) => stop(String(2125550000 + index))),
  ]
  await appendChanges(list, changes)
  expect(await logged()).toEqual(changes)
})

test.each([
  `x@y.z\n2030-01-16T00:00:00.000Z ${id}`,
  `x@y.z\r2030-01-16T00:00:00.000Z`,
  'x@y.z\u2028',
  'x@y.z dismissed',
  'x\u001by@y.z',
  'x\ud800@y.z',
  'X@y.z',
  '+4722123456',
  '(212) 555-0177',
  id,
  '',
])('what isn’t an entry as the list has it isn’t written: %j', async what => {
  await expect(appendChanges(list, [stop(what), stop('2125550177')])).rejects.toThrow('1 of them can’t be logged')
  expect(await logged()).toEqual([stop('2125550177')])
})

test('an erasure is about an ID; what isn’t a line of ours is skipped', async () => {
  await expect(appendChanges(list, [{ at, kind: 'erased', what: '2125550177' }])).rejects.toThrow('can’t be logged')
  const lines = [
    `Z 2125550177`,
    `Z ${id}`,
    'Z passkey-removed first',
    'never erased',
    `Z toString ${id}`,
    'x'.repeat(2e5),
  ]
  writeFileSync(list, lines.map(line => line.replace(/^Z/, '2030-01-16T00:00:00.000Z')).join('\n'))
  expect(await logged()).toEqual([{ at, kind: 'erased', what: id }])
})
