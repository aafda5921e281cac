/** What reaches ERASURE_LIST, no matter who changed it, and when a process is killed. carry-over.test.ts has what a restore does with it. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CALLING_HOURS } from '../../../domain/calling/hours.ts'
import { joinDesk } from '../../../tests/support/desk-accounts.ts'
import { contactOf, ERASURE_KEY, maria, saying, submissionOf } from '../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import { applyChanges } from '../operations/upkeep/carry-over.ts'
import { logChanges, logMissingChanges, withErasuresLogged } from './change-log.ts'
import { appendChanges, type LoggedChange, readChanges } from './erasure-list.ts'

const ada = contactOf('ada')
const phone = '5552100199'
const by = 'Maria'

onEachEngine('the log', harness => {
  const { store, capture, testOnce } = harness
  let folder: string
  let list: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'change-log-'))
    list = join(folder, 'erasures.txt')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function listed() {
    const all: LoggedChange[] = []
    for await (const changes of readChanges(list)) all.push(...changes)
    return all
  }
  async function logged() {
    await logChanges(store, list)
    return (await listed()).map(({ kind, what }) => `${kind} ${what}`)
  }
  const waiting = async () => (await harness.rows('SELECT * FROM to_log')).length
  const apply = async (into = store) => applyChanges(into, readChanges(list), async () => ERASURE_KEY)
  const entries = async (of = store) =>
    (await of.doNotCallList({ after: '', limit: 999 })).map(({ contact }) => contact)
  const contacts = [{ phone: ada.phone }]
  const stop = (into = store) => into.addToDoNotCall({ contacts, by })
  const remove = (from = store) => from.removeFromDoNotCall({ contacts, by, request: null })

  test('has the last state of every entry, however many processes change and log them at once', async () => {
    const both = [store, await harness.openAnother()]
    const numbers = Array.from({ length: 12 }, (_, index) => ({ phone: String(2125550100 + index) }))
    for (let round = 0; round < 6; round++) {
      await Promise.all([
        ...numbers.flatMap((number, index) =>
          both.map((each, which) => {
            const order = { contacts: [number], by: `${round} ${which}` }
            const adds = (index >> ((round + which) % 4)) % 2 === 0
            return adds ? each.addToDoNotCall(order) : each.removeFromDoNotCall({ ...order, request: null })
          }),
        ),
        ...both.map(each => logChanges(each, list)),
      ])
    }
    await logChanges(store, list)
    expect(await waiting()).toBe(0)
    const restored = (await harness.openEmpty()).store
    await apply(restored)
    expect(await entries(restored)).toEqual(await entries())
  })

  test('says how things are, although another process changed them while they were being logged', async () => {
    const restored = (await harness.openEmpty()).store
    await stop(restored)
    await stop()
    await logChanges(store, list, async (file, changes) => {
      await remove()
      await logChanges(store, list)
      await appendChanges(file, changes)
    })
    expect(await logged()).toEqual([`may-be-called ${phone}`, `do-not-call ${phone}`])
    await apply(restored)
    expect(await entries(restored)).toEqual(await entries())
  })

  testOnce('a process that’s killed before or after it logged something leaves it to the next one', async () => {
    const killed = async () => {
      throw new Error('killed')
    }
    await stop()
    await expect(logChanges(store, list, killed)).rejects.toThrow('killed')
    await expect(logChanges({ ...store, unlogged: store.unlogged, forgetLogged: killed }, list)).rejects.toThrow(
      'killed',
    )
    expect(await logged()).toEqual([`do-not-call ${phone}`, `do-not-call ${phone}`])
    await remove()
    await apply()
    expect(await entries()).toEqual([])
  })

  test('a message that the CRM repeats doesn’t bring back an entry that was removed since', async () => {
    const { id } = await capture('ada')
    const message = { webhookId: 'msg_1', contacts: [], leadId: id }
    await store.stopFromCrm(message)
    await remove()
    await store.removeFromDoNotCall({ contacts: [{ email: ada.email }], by, request: null })
    expect(await store.stopFromCrm(message)).toMatchObject({ kind: 'known' })
    await logged()
    expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
    expect(await entries()).toEqual([])
  })

  test('has all leads of a person whose number was corrected, before any is erased', async () => {
    const { id: leadId } = await capture('ada')
    const seen = { ...ada, dateOfBirth: ada.dateOfBirth ?? '' }
    const { contact: _, page: __, language: ___, ...spoken } = submissionOf('', harness.consentVersion)
    const corrected = { ...seen, phone: '(212) 555-0187' }
    const order = {
      leadId,
      person: maria,
      seen,
      corrected,
      reason: 'typed wrong',
      spoken: { ...spoken, consentTakenBy: by },
    }
    const moved = await store.correctLead(order)
    const last = moved.kind === 'corrected' ? moved.leadId : ''
    const erasure = { ids: [last], key: ERASURE_KEY, by }
    await expect(withErasuresLogged(store, '/dev/null/list').erase(erasure)).rejects.toThrow('Nothing was erased. ')
    expect(await store.find(last)).toMatchObject({ state: 'accepted' })
    const erased = [`erased ${leadId}`, `erased ${last}`]
    const logging: typeof store = Object.assign(Object.create(store), {
      async erase(given: typeof erasure) {
        expect((await listed()).map(({ kind, what }) => `${kind} ${what}`)).toEqual(erased)
        return store.erase(given)
      },
    })
    await withErasuresLogged(logging, list).erase(erasure)
    // And one that has been added since.
    expect((await logged()).toSorted()).toEqual([...erased, ...erased].toSorted())
  })

  testOnce('an erasure with the wrong key is refused and isn’t logged', async () => {
    const [{ id: first }, { id: other }] = [await capture('ada'), await capture('bob')]
    // A full disk has cut off the last line.
    writeFileSync(list, '2030-01-16T12:00', { mode: 0o600 })
    const logging = withErasuresLogged(store, list)
    await logging.erase({ ids: [other], key: ERASURE_KEY, by })
    await expect(logging.erase({ ids: [first], key: 'another key', by })).rejects.toThrow('is not the store’s key')
    expect((await listed()).map(({ what }) => what)).toEqual([other])
    expect(statSync(list).mode & 0o777).toBe(0o600)
  })

  testOnce('has what was said in a call, until it’s undone', async () => {
    const { id: leadId } = await capture('ada')
    await store.claimCall({ leadId, person: maria, takeOver: false })
    const hours = DEFAULT_CALLING_HOURS
    const saved = await store.saveCall({ person: maria, hours, ...saying(leadId, 'never call again') })
    expect((await logged()).toSorted()).toEqual([`do-not-call ${phone}`, `do-not-call ${ada.email}`])
    const callId = saved.kind === 'saved' ? saved.callId : ''
    await store.undoCall({ hours, callId, person: maria })
    expect((await logged()).slice(2).toSorted()).toEqual([`may-be-called ${phone}`, `may-be-called ${ada.email}`])
  })

  testOnce('a list that’s imported every night is logged once', async () => {
    const imported = [...contacts, { email: ada.email }]
    await store.addToDoNotCall({ contacts: imported, by })
    expect(await logged()).toHaveLength(2)
    await store.addToDoNotCall({ contacts: [...imported, { email: 'eve@example.org' }], by })
    expect((await logged()).slice(2)).toEqual(['do-not-call eve@example.org'])
    await store.removeFromDoNotCall({ contacts: [{ email: 'nobody@example.org' }], by, request: null })
    expect(await logged()).toHaveLength(3)
  })

  testOnce(
    'has who was removed from the desk, unless they’re back, and who was erased, but not by retention',
    async () => {
      const [{ id: erased }, { id: expired }] = [await capture('ada'), await capture('bob')]
      const [joe, ann] = [await joinDesk(store, 'Joe'), await joinDesk(store, 'Ann')]
      for (const name of ['joe', 'ann']) await store.removePerson({ name, by, evenLastEditor: true })
      await joinDesk(store, 'Ann')
      await store.erase({ ids: [erased], key: ERASURE_KEY, by })
      await store.erase({ ids: [expired], key: ERASURE_KEY, by: 'system', reason: 'retention' })
      expect((await logged()).toSorted()).toEqual([`dismissed ${joe.id}`, `erased ${erased}`])
      expect(await apply()).toEqual({ erased: 0, doNotCall: 0, dismissed: 0 })
      expect(await store.session(ann.session)).toBeNull()
    },
  )

  testOnce('what no list can hold doesn’t keep later changes from being logged', async () => {
    await store.addToDoNotCall({ contacts: [{ email: 'no email' }, ...contacts], by })
    expect(await logged()).toEqual([`do-not-call ${phone}`])
    expect(await waiting()).toBe(0)
  })

  testOnce('every hour, stops are logged that a lost list had, unless they were taken back since', async () => {
    await stop()
    await store.addToDoNotCall({ contacts: [{ email: ada.email }], by })
    await logged()
    rmSync(list)
    writeFileSync(list, `${new Date(Date.now() + 1000).toISOString()} may-be-called ${ada.email}\n`)
    await logMissingChanges(store, list)
    await logMissingChanges(store, list)
    expect((await listed()).slice(1)).toMatchObject([{ kind: 'do-not-call', what: phone }])
    // From before there was a history, and one that no list can hold.
    await harness.change(
      `INSERT INTO do_not_call (contact, added_at, n) VALUES ('no email', 1000, 0), ('5552100198', 1000, 0)`,
    )
    await logMissingChanges(store, list)
    expect((await listed()).slice(2)).toEqual([{ at: 1000, kind: 'do-not-call', what: '5552100198' }])
  })

  testOnce('every hour, erasures are logged that a lost list had, but not those of retention', async () => {
    const [mine, expired] = [await capture('ada'), await capture('bob')]
    await store.erase({ ids: [mine.id], key: ERASURE_KEY, by })
    await store.erase({ ids: [expired.id], key: ERASURE_KEY, by: 'system', reason: 'retention' })
    await logMissingChanges(store, list)
    await logMissingChanges(store, list)
    expect(await listed()).toEqual([{ at: expect.any(Number), kind: 'erased', what: mine.id }])
  })
})
