/** Changes that must survive a restore: logged next to the backups and reapplied to the restored store. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CALLING_HOURS } from '../../../domain/calling/hours.ts'
import { HOUR } from '../../../domain/durations.ts'
import { invite, joinDesk } from '../../../tests/support/desk-accounts.ts'
import { captureLead, contactOf, ERASURE_KEY, saying } from '../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import { applyChanges } from './carry-over.ts'
import { logMissingChanges, withChangeLog } from './change-log.ts'
import { type LoggedChange, readChanges } from './erasure-list.ts'

const ada = contactOf('ada')
const by = 'Maria'

onEachEngine('after a restore', harness => {
  /** The restored backup. */
  const { store: restored, capture, testOnce } = harness
  let folder: string
  let list: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carry-over-'))
    list = join(folder, 'erasures.txt')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** The live store, which logged its changes after the backup. */
  const openLive = async () => withChangeLog((await harness.openEmpty()).store, list)
  async function logged() {
    const all: LoggedChange[] = []
    for await (const changes of readChanges(list)) all.push(...changes)
    return all
  }
  const apply = async () => applyChanges(restored, readChanges(list), async () => ERASURE_KEY)

  test('an erasure is reapplied only once', async () => {
    const { id } = await capture('ada')
    writeFileSync(list, `2030-01-16T12:00:00.000Z ${id}\nnot a line of ours\n`)
    expect(await apply()).toEqual({ erased: 1, doNotCall: 0, dismissed: 0 })
    expect(await restored.find(id)).toMatchObject({ state: 'erased', delivery: null })
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
  })

  testOnce('an erasure with the wrong key is refused and isn’t logged', async () => {
    const live = await openLive()
    const [first, other] = [await captureLead(live, { name: 'ada' }), await captureLead(live, { name: 'bob' })]
    // A full disk has cut off the last line.
    writeFileSync(list, '2030-01-16T12:00', { mode: 0o600 })
    await live.erase({ ids: [other], key: ERASURE_KEY, by })
    await expect(live.erase({ ids: [first], key: 'another key', by })).rejects.toThrow('is not the store’s key')
    expect((await logged()).map(({ what }) => what)).toEqual([other])
    expect(statSync(list).mode & 0o777).toBe(0o600)
  })

  test('someone who asked not to be called isn’t called, even if their lead was pending in the backup', async () => {
    const { id } = await capture('ada')
    await (await openLive()).addToDoNotCall({ contacts: [{ phone: ada.phone }], by })
    expect(await apply()).toEqual({ erased: 0, doNotCall: 1, dismissed: 0 })
    expect(await restored.find(id)).toMatchObject({ state: 'accepted', delivery: { state: 'stopped' } })
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
  })

  test('a stop after a removal counts, although the clock was set back meanwhile, and so does one after the restore', async () => {
    const contacts = [{ phone: ada.phone }]
    const live = await openLive()
    await live.addToDoNotCall({ contacts, by })
    // It was an hour ahead.
    const ahead = Date.now() + HOUR
    await live.removeFromDoNotCall({ contacts, by, request: null, loggedAt: new Map([['5552100199', ahead]]) })
    // The backup has that, too.
    await restored.addToDoNotCall({ contacts, by })
    await restored.removeFromDoNotCall({ contacts, by, request: null, loggedAt: new Map([['5552100199', ahead]]) })
    await live.addToDoNotCall({ contacts, by })
    expect(await apply()).toMatchObject({ doNotCall: 1 })
    await withChangeLog(restored, list).removeFromDoNotCall({ contacts, by, request: null })
    expect(await apply()).toMatchObject({ doNotCall: 0 })
  })

  testOnce('a stop counts that another process stored while a removal was being logged', async () => {
    const { store } = await harness.openEmpty()
    const contacts = [{ phone: ada.phone }]
    await store.addToDoNotCall({ contacts, by })
    const slow: typeof store = Object.assign(Object.create(store), {
      async removeFromDoNotCall(order: Parameters<typeof store.removeFromDoNotCall>[0]) {
        const removed = await store.removeFromDoNotCall(order)
        await withChangeLog(store, list).addToDoNotCall({ contacts, by })
        return removed
      },
    })
    await withChangeLog(slow, list).removeFromDoNotCall({ contacts, by, request: null })
    expect(await apply()).toMatchObject({ doNotCall: 1 })
  })

  testOnce('someone who said so in a call isn’t called', async () => {
    const live = await openLive()
    const leadId = await captureLead(live, { name: 'ada' })
    const person = { id: (await joinDesk(live, 'Ann')).id, name: 'Ann' }
    await live.claimCall({ leadId, person, takeOver: false })
    const call = { leadId, person, hours: DEFAULT_CALLING_HOURS, callbackAt: null, note: null }
    const saved = await live.saveCall({ ...call, ...saying(call.leadId, 'never call again') })
    expect(await apply()).toMatchObject({ doNotCall: 2 })
    await live.undoCall({
      hours: DEFAULT_CALLING_HOURS,
      attemptId: saved.kind === 'saved' ? saved.attemptId : '',
      person,
    })
    expect((await logged()).map(({ kind }) => kind)).toEqual([
      ...['do-not-call', 'do-not-call', 'may-be-called', 'may-be-called'],
    ])
  })

  testOnce('a request that was stored but not logged, because the process was killed, still counts', async () => {
    const unlogged = await harness.openEmpty()
    await unlogged.store.addToDoNotCall({ contacts: [{ phone: ada.phone }, { email: ada.email }], by })
    const live = withChangeLog(unlogged.store, list)
    await live.removeFromDoNotCall({ contacts: [{ email: ada.email }], by, request: null })
    await logMissingChanges(live, list)
    await logMissingChanges(live, list)
    expect(await logged()).toMatchObject([
      { kind: 'may-be-called', what: ada.email },
      { kind: 'do-not-call', what: '5552100199' },
    ])
    expect(await applyChanges(live, readChanges(list), async () => ERASURE_KEY)).toEqual({
      erased: 0,
      doNotCall: 0,
      dismissed: 0,
    })
    expect(await apply()).toMatchObject({ doNotCall: 1 })
  })

  testOnce('an entry from before the history is logged, unless it was taken back since the backup', async () => {
    await harness.change(`INSERT INTO do_not_call (contact, added_at, n) VALUES ('5552100199', 1000, 0)`)
    await logMissingChanges(restored, list)
    expect(await logged()).toEqual([{ at: 1000, kind: 'do-not-call', what: '5552100199' }])
    await apply()
    expect(await harness.rows('SELECT * FROM do_not_call_history')).toEqual([])
    await restored.addToDoNotCall({ contacts: [{ email: ada.email }], by })
    writeFileSync(list, `${new Date(Date.now() + 1000).toISOString()} may-be-called ${ada.email}\n`, { flag: 'a' })
    await logMissingChanges(restored, list)
    expect(await logged()).toHaveLength(2)
  })

  testOnce(
    'an erasure that was logged nowhere, because the backup disk was away, is logged once it’s back',
    async () => {
      const [mine, expired] = [await capture('ada'), await capture('bob')]
      await restored.erase({ ids: [mine.id], key: ERASURE_KEY, by })
      await restored.erase({ ids: [expired.id], key: ERASURE_KEY, by: 'system', reason: 'retention' })
      await logMissingChanges(restored, list)
      await logMissingChanges(restored, list)
      expect(await logged()).toEqual([{ at: expect.any(Number), kind: 'erased', what: mine.id }])
    },
  )

  testOnce('an entry that no list can hold is left out; the others are logged', async () => {
    await harness.change(
      `INSERT INTO do_not_call (contact, added_at, n) VALUES ('no email', 1000, 0), ('5552100199', 1000, 0)`,
    )
    await logMissingChanges(restored, list)
    expect(await logged()).toEqual([{ at: 1000, kind: 'do-not-call', what: '5552100199' }])
  })

  testOnce('a list that’s imported every night is logged once', async () => {
    const live = await openLive()
    const contacts = [{ phone: ada.phone }, { email: ada.email }]
    await live.addToDoNotCall({ contacts, by })
    await live.addToDoNotCall({ contacts: [...contacts, { email: 'eve@example.org' }], by })
    expect((await logged()).map(({ what }) => what)).toEqual(['5552100199', ada.email, 'eve@example.org'])
    await live.removeFromDoNotCall({ contacts: [{ email: 'nobody@example.org' }], by, request: null })
    expect(await logged()).toHaveLength(3)
  })

  test('the latest change to a phone number or email wins, and newer changes in the store are kept', async () => {
    await restored.addToDoNotCall({ contacts: [{ email: ada.email }], by })
    const live = await openLive()
    await live.addToDoNotCall({ contacts: [{ email: ada.email }, { phone: ada.phone }], by })
    await live.removeFromDoNotCall({ contacts: [{ email: ada.email }], by, request: null })
    await apply()
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

  test('after a restore, nobody keeps access, and an invitation without a role doesn’t bring back an old one', async () => {
    const { session } = await joinDesk(restored, 'Joe')
    const link = await invite(restored, 'Ann', 'editor')
    await restored.finishRestore()
    expect([await restored.passkey('Joe'), await restored.session(session)]).toEqual([null, null])
    expect(await restored.invitation(link)).toBeNull()
    expect(await restored.invitation(await invite(restored, 'Joe'))).toMatchObject({ person: { role: 'viewer' } })
  })

  testOnce('an erasure and a removal from the desk are logged', async () => {
    const live = await openLive()
    const lead = await captureLead(live, { name: 'ada' })
    await live.erase({ ids: [lead], key: ERASURE_KEY, by })
    const { id } = await joinDesk(live, 'Joe')
    await live.removePerson({ name: 'joe', by, evenLastEditor: true })
    expect(await logged()).toMatchObject([
      { kind: 'erased', what: lead },
      { kind: 'dismissed', what: id },
    ])
  })

  test.runIf(harness.engine === 'PostgreSQL')('the database gets planner statistics', async () => {
    await capture('ada')
    await restored.finishRestore()
    const planned = `CREATE TABLE planned AS SELECT reltuples FROM pg_class WHERE relname = 'leads'`
    await harness.change(`${planned}; ALTER TABLE planned ADD CHECK (reltuples = 1)`)
  })
})
