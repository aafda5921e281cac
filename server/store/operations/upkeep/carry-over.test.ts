/** Changes that must survive a restore: logged next to the backups and reapplied to the restored store. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUR } from '../../../../domain/durations.ts'
import { invite, joinDesk } from '../../../../tests/support/desk-accounts.ts'
import { contactOf, ERASURE_KEY } from '../../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../../tests/support/store-engines.ts'
import type { Store } from '../../store.ts'
import { logChanges } from '../../upkeep/change-log.ts'
import { readChanges } from '../../upkeep/erasure-list.ts'
import { applyChanges } from './carry-over.ts'

const ada = contactOf('ada')
const by = 'Maria'

onEachEngine('after a restore', harness => {
  /** The restored backup. */
  const { store: restored, capture } = harness
  let folder: string
  let list: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carry-over-'))
    list = join(folder, 'erasures.txt')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** The live store, which logged its changes after the backup. */
  const openLive = async () => (await harness.openEmpty()).store
  async function apply(...live: readonly Store[]) {
    for (const each of live) await logChanges(each, list)
    return applyChanges(restored, readChanges(list), async () => ERASURE_KEY)
  }

  test('an erasure is reapplied only once', async () => {
    const { id } = await capture('ada')
    writeFileSync(list, `2030-01-16T12:00:00.000Z ${id}\nnot a line of ours\n`)
    expect(await apply()).toEqual({ erased: 1, doNotCall: 0, dismissed: 0 })
    expect(await restored.find(id)).toMatchObject({ state: 'erased', delivery: null })
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
  })

  test('someone who asked not to be called isn’t called, even if their lead was pending in the backup', async () => {
    const { id } = await capture('ada')
    const live = await openLive()
    await live.addToDoNotCall({ contacts: [{ phone: ada.phone }], by })
    expect(await apply(live)).toEqual({ erased: 0, doNotCall: 1, dismissed: 0 })
    expect(await restored.find(id)).toMatchObject({ state: 'accepted', delivery: { state: 'stopped' } })
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
  })

  test('a stop after a removal counts, although the clock was set back in between, and so does one after the restore', async () => {
    const contacts = [{ phone: ada.phone }]
    const live = await openLive()
    await live.addToDoNotCall({ contacts, by })
    // The clock was an hour ahead.
    const ahead = Date.now() + HOUR
    await live.removeFromDoNotCall({ contacts, by, request: null, loggedAt: new Map([['5552100199', ahead]]) })
    // The backup has that, too.
    await restored.addToDoNotCall({ contacts, by })
    await restored.removeFromDoNotCall({ contacts, by, request: null, loggedAt: new Map([['5552100199', ahead]]) })
    await live.addToDoNotCall({ contacts, by })
    expect(await apply(live)).toMatchObject({ doNotCall: 1 })
    await restored.removeFromDoNotCall({ contacts, by, request: null })
    expect(await apply(restored)).toMatchObject({ doNotCall: 0 })
  })

  test('the latest change to a phone number or email wins, and newer changes in the store are kept', async () => {
    await restored.addToDoNotCall({ contacts: [{ email: ada.email }], by })
    const live = await openLive()
    await live.addToDoNotCall({ contacts: [{ email: ada.email }, { phone: ada.phone }], by })
    await live.removeFromDoNotCall({ contacts: [{ email: ada.email }], by, request: null })
    await apply(live)
    const listed = async () => (await restored.doNotCallList({ after: '', limit: 9 })).map(({ contact }) => contact)
    expect(await listed()).toEqual(['5552100199'])
    await restored.removeFromDoNotCall({ contacts: [{ phone: ada.phone }], by, request: null })
    await apply()
    expect(await listed()).toEqual([])
  })

  test('someone removed from the desk can’t get back in with an old passkey or session', async () => {
    const [joe, ann] = [await joinDesk(restored, 'Joe'), await joinDesk(restored, 'Ann')]
    writeFileSync(list, `${new Date(Date.now() + 1000).toISOString()} dismissed ${joe.id}\n`)
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 1 })
    expect([await restored.session(joe.session), await restored.passkey('Joe')]).toEqual([null, null])
    expect(await restored.session(ann.session)).not.toBeNull()
  })

  test('someone who has since been invited again keeps access', async () => {
    const { id } = await joinDesk(restored, 'Joe')
    writeFileSync(list, `2020-01-16T12:00:00.000Z dismissed ${id}\n`)
    expect(await apply()).toMatchObject({ dismissed: 0 })
    expect(await restored.passkey('Joe')).not.toBeNull()
    // The restore deletes the passkey, and the server applies the log again when it starts.
    await restored.finishRestore()
    expect(await apply()).toMatchObject({ dismissed: 0 })
    expect(await restored.deskPeople()).toMatchObject([{ name: 'Joe', dismissedAt: null }])
  })

  test('someone invited again keeps access, although the clock was years ahead when they were removed', async () => {
    const { id } = await joinDesk(restored, 'Joe')
    writeFileSync(list, `2099-01-16T12:00:00.000Z dismissed ${id}\n`)
    expect(await apply()).toMatchObject({ dismissed: 1 })
    await joinDesk(restored, 'Joe')
    expect(await apply(restored)).toMatchObject({ dismissed: 0 })
    await restored.finishRestore()
    expect(await apply()).toMatchObject({ dismissed: 0 })
    expect(await restored.deskPeople()).toMatchObject([{ name: 'Joe', dismissedAt: null }])
  })

  test('nobody confirmed an entry that the backup has, too; only a time that’s still to come is kept', async () => {
    await restored.addToDoNotCall({ contacts: [{ phone: ada.phone }, { email: ada.email }], by })
    const changes = async () =>
      (await harness.rows('SELECT contact, event FROM do_not_call_history ORDER BY n, contact')).map(row =>
        Object.values(row),
      )
    const before = await changes()
    writeFileSync(list, `${new Date(Date.now() + 1).toISOString()} do-not-call ${ada.email}\n`)
    await expect.poll(Date.now).toBeGreaterThan(Date.now() + 1)
    await apply()
    expect(await changes()).toEqual(before)
    writeFileSync(list, `2099-01-16T12:00:00.000Z do-not-call 5552100199\n`)
    await apply()
    await restored.removeFromDoNotCall({ contacts: [{ phone: ada.phone }], by, request: null })
    await apply()
    expect((await restored.doNotCallList({ after: '', limit: 9 })).map(({ contact }) => contact)).toEqual([ada.email])
  })

  test('after a restore, everyone signs in by a new link, with their role, or the one in the store that’s replaced', async () => {
    const { id, session } = await joinDesk(restored, 'Joe', 'editor')
    await joinDesk(restored, 'Ada', 'editor')
    const link = await invite(restored, 'Ann', 'editor')
    await restored.finishRestore({ roles: [{ id, role: 'viewer' }] })
    expect([await restored.passkey('Joe'), await restored.session(session)]).toEqual([null, null])
    expect(await restored.invitation(link)).toBeNull()
    expect(await restored.invitation(await invite(restored, 'Joe'))).toMatchObject({ person: { role: 'viewer' } })
    expect(await restored.invitation(await invite(restored, 'Ada'))).toMatchObject({ person: { role: 'editor' } })
  })

  test.runIf(harness.engine === 'PostgreSQL')('the database gets planner statistics', async () => {
    await capture('ada')
    await restored.finishRestore()
    const planned = `CREATE TABLE planned AS SELECT reltuples FROM pg_class WHERE relname = 'leads'`
    await harness.change(`${planned}; ALTER TABLE planned ADD CHECK (reltuples = 1)`)
  })
})
