import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { transact } from './connections.ts'

/** A pool whose database sends this notice with each commit. */
function poolThatSends(notice: object): pg.Pool {
  const client = Object.assign(new EventEmitter(), {
    async query(text: string) {
      if (text === 'COMMIT') client.emit('notice', notice)
      return text.startsWith('BEGIN') ? [{ rows: [{ now: 0 }] }] : { rows: [] }
    },
    release() {},
  })
  return { connect: async () => client } as unknown as pg.Pool
}

test('a commit with a warning isn’t confirmed, whatever the database’s language is', async () => {
  const warnings = [
    { severity: 'WARNING', code: '01000' },
    { severity: 'WARNUNG', code: '01000' },
    { severity: 'ПРЕДУПРЕЖДЕНИЕ', code: '57P01' },
  ]
  for (const warning of warnings) {
    await expect(transact(poolThatSends(warning), async () => 'done')).rejects.toThrow('isn’t confirming commits')
  }
  expect(await transact(poolThatSends({ severity: 'HINWEIS', code: '00000' }), async () => 'done')).toBe('done')
})
