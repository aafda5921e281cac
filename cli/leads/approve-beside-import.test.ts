/** `approve --all` while a do-not-call list is being imported: nobody on the list is sent, and one changed lead skips one lead. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contactOf, submissionOf } from '../../tests/support/lead-store.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { engines, HOUR } from '../../tests/support/store-engines.ts'

const ROUNDS = 5
const LEADS = 60

describe.each(engines)('approve --all beside an import, on $name', engine => {
  test('sends nobody on the list', async () => {
    const open = await engine.open()
    const { store } = open
    const consentVersion = await store.saveConsentText('I agree')
    const folder = mkdtempSync(join(tmpdir(), 'beside-import-'))
    const { url, file = '' } = open as { readonly url?: string; readonly file?: string }
    const where = url === undefined ? { DATA_DIR: dirname(file) } : { DATABASE_URL: url }
    const env = { ...where, ERASURE_LIST: join(folder, 'erasures.txt') }
    const run = (...argv: readonly string[]) => leads(argv, { env, now: Date.now() })
    for (let round = 0; round < ROUNDS; round++) {
      const people = Array.from({ length: LEADS }, (_, index) => ({
        ...contactOf(`r${round}n${index}`),
        phone: `(555) 2${String(round).padStart(2, '0')}-${String(1000 + index)}`,
      }))
      const ids = await Promise.all(
        people.map(async contact => {
          const { id } = await store.capture({
            ...submissionOf('ada', consentVersion),
            contact,
            holdReason: 'many from one network',
          })
          return id
        }),
      )
      const file = join(folder, 'list.txt')
      writeFileSync(
        file,
        people
          .filter((_, index) => index % 2 === 0)
          .map(({ phone }) => phone)
          .join('\n'),
      )
      const [approved, imported] = await Promise.all([
        run('approve', '--all', '--yes'),
        run('do-not-call', file),
        store.reject({ ids: [ids[1] ?? ''], reason: 'a joke', by: 'Maria' }),
      ])
      expect([approved.code, imported.code]).toEqual([0, 0])
      const leased = await store.lease({ limit: 2 * LEADS, leaseMs: HOUR })
      const onList = await store.leadsOnDoNotCallList(ids)
      expect(onList.size).toBe(LEADS / 2)
      expect(leased.filter(({ leadId }) => onList.has(leadId))).toEqual([])
      const states = (await store.leadsWithIds(ids)).map(({ id, state }) => [ids.indexOf(id), state] as const)
      // Everyone else was sent, except the one that was rejected, if the rejection came first.
      const skipped = states.filter(([index, state]) => index % 2 === 1 && state !== 'accepted')
      expect(skipped.length).toBeLessThanOrEqual(1)
      if (skipped.length === 1) expect(skipped).toEqual([[1, 'rejected']])
    }
    await open.remove()
    rmSync(folder, { recursive: true })
  })
})
