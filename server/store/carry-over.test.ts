/** Changes that must survive a restore, on both engines: logged next to the backups and reapplied to the restored store. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import { contactOf, ERASURE_KEY, submissionOf } from '../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import { applyChanges, notingChanges, readChanges } from './carry-over.ts'
import type { Store } from './store.ts'

const ada = contactOf('ada')
const by = 'Maria'

describe.each(engines)('on $name', engine => {
  let folder: string
  let list: string
  /** The live store, which logs its changes after the backup. */
  let live: OpenEngine
  let store: Store
  /** The restored backup. */
  let restored: OpenEngine
  let leadId: string

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carry-over-'))
    list = join(folder, 'erasures.txt')
    ;[live, restored] = [await engine.open(), await engine.open()]
    store = notingChanges(live.store, list)
  })
  afterEach(async () => {
    await Promise.all([live.remove(), restored.remove()])
    rmSync(folder, { recursive: true })
  })

  const apply = (endSessions = false) =>
    applyChanges(restored.store, { changes: readChanges(list), endSessions }, async () => ERASURE_KEY)
  const capture = async (into: Store) =>
    (await into.capture(submissionOf('ada', await into.saveConsentText('I agree')))).id
  const joinDesk = async (into: Store, name: string, passkey: string) => {
    const { person } = await into.invite({ name, role: 'editor', tokenHash: passkey, ttlMs: 60_000, by })
    const added = { id: passkey, publicKey: 'k', counter: 0, transports: [], synced: false }
    await into.acceptInvitation({ tokenHash: passkey, passkey: added })
    return person.id
  }
  const signIn = (into: Store, passkeyId: string) =>
    into.beginSession({ tokenHash: `session of ${passkeyId}`, ttlMs: 3_600_000, passkeyId, counter: 1 })

  test('an erasure is reapplied', async () => {
    leadId = await capture(restored.store)
    writeFileSync(list, `2030-01-16T12:00:00.000Z ${leadId}\nnot a line of ours\n`)
    expect(await apply()).toEqual({ erased: 1, doNotCall: 0, dismissed: 0 })
    expect(await restored.store.find(leadId)).toMatchObject({ state: 'erased', delivery: null })
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
  })

  test('an erasure refused because of its key isn’t logged', async () => {
    leadId = await capture(store)
    const other = await capture(store)
    await store.erase({ ids: [other], key: ERASURE_KEY, by })
    await expect(store.erase({ ids: [leadId], key: 'another key', by })).rejects.toThrow('is not the store’s key')
    expect(readChanges(list).map(({ what }) => what)).toEqual([other])
    expect(statSync(list).mode & 0o777).toBe(0o600)
  })

  test('someone who asked not to be called isn’t called, even if their lead was pending in the backup', async () => {
    leadId = await capture(restored.store)
    await store.suppress({ contacts: [{ phone: ada.phone }], by })
    expect(await apply()).toEqual({ erased: 0, doNotCall: 1, dismissed: 0 })
    expect(await restored.store.find(leadId)).toMatchObject({ state: 'held', heldReason: DO_NOT_CALL, delivery: null })
    expect(await restored.store.lease({ limit: 9, leaseMs: 60_000 })).toEqual([])
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
  })

  test('a contact’s latest change wins, and newer changes in the store are kept', async () => {
    await restored.store.suppress({ contacts: [{ email: ada.email }], by })
    await store.suppress({ contacts: [{ email: ada.email }, { phone: ada.phone }], by })
    await store.unsuppress({ contacts: [{ email: ada.email }], by })
    await apply()
    const listed = async () =>
      (await restored.store.suppressions({ after: '', limit: 9 })).map(({ contact }) => contact)
    expect(await listed()).toEqual(['5552100199'])
    await restored.store.unsuppress({ contacts: [{ phone: ada.phone }], by })
    await apply()
    expect(await listed()).toEqual([])
  })

  test('someone dismissed from the desk stays out, even with an old passkey or session', async () => {
    const id = await joinDesk(restored.store, 'Joe', 'joes-key')
    await joinDesk(restored.store, 'Ann', 'anns-key')
    expect(await signIn(restored.store, 'joes-key')).toMatchObject({ person: { name: 'Joe' } })
    await signIn(restored.store, 'anns-key')
    writeFileSync(list, `${new Date(Date.now() + 1000).toISOString()} dismissed ${id}\n`)
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 1 })
    expect(await restored.store.session('session of joes-key')).toBeNull()
    expect(await restored.store.passkey('joes-key')).toBeNull()
    expect(await restored.store.session('session of anns-key')).not.toBeNull()
    await apply(true)
    expect(await restored.store.session('session of anns-key')).toBeNull()
  })

  test.runIf(engine.name === 'PostgreSQL')('a restored database gets planner statistics', async () => {
    await capture(restored.store)
    const planned = `CREATE TABLE planned AS SELECT reltuples FROM pg_class WHERE relname = 'leads'`
    await apply(true)
    await restored.change(`${planned}; ALTER TABLE planned ADD CHECK (reltuples = 1)`)
  })

  test('someone who was invited again since keeps access', async () => {
    const id = await joinDesk(restored.store, 'Joe', 'joes-key')
    writeFileSync(list, `2020-01-16T12:00:00.000Z dismissed ${id}\n`)
    expect(await apply()).toMatchObject({ dismissed: 0 })
    expect(await restored.store.passkey('joes-key')).not.toBeNull()
  })

  test('a passkey removed since the backup is removed again', async () => {
    await joinDesk(restored.store, 'Joe', 'joes-key')
    writeFileSync(list, `${new Date().toISOString()} passkey-removed joes-key\n`)
    await apply()
    expect(await restored.store.passkey('joes-key')).toBeNull()
  })

  test('dismissals and removed passkeys are logged', async () => {
    const id = await joinDesk(store, 'Joe', 'first')
    await signIn(store, 'first')
    const second = { id: 'second', publicKey: 'k', counter: 0, transports: [], synced: false }
    await store.addPasskey({ personId: id, sessionHash: 'session of first', passkey: second })
    expect(await store.removePasskey({ personId: id, id: 'second' })).toBe('removed')
    await store.dismiss('joe')
    expect(readFileSync(list, 'utf8')).toMatch(new RegExp(`^\\S+ passkey-removed second\\n\\S+ dismissed ${id}\\n$`))
  })
})
