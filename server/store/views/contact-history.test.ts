/** What the store knows about a phone number, over all leads that have it, erased ones included. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import { HOUR } from '../../../domain/durations.ts'
import { contactOf, ERASURE_KEY, maria, saying } from '../../../tests/support/lead-store.ts'
import { passTime } from '../../../tests/support/pass-time.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'

const key = ERASURE_KEY
const lou = { id: 'lou', name: 'Lou' }

onEachEngine('contact with a number', harness => {
  const { store, change } = harness
  const capture = async (name: string, phone = '(808) 555-0101') =>
    (await harness.capture(name, { contact: { ...contactOf(name), phone } })).id
  const erase = (...ids: readonly string[]) => store.erase({ ids, key, by: 'Maria' })
  const sameNumber = async (id: string, withKey: string | null = key) =>
    (await store.leadsWithSameNumber({ ids: [id], key: withKey })).get(id)

  test('leads with the same number are found whatever the name, and erased ones by the keyed hash', async () => {
    const [ada, bob, carl] = [await capture('ada'), await capture('bob'), await capture('carl')]
    const other = await capture('dora', '(808) 555-0102')
    await erase(ada)
    expect(await sameNumber(bob)).toEqual([ada, bob, carl])
    expect(await sameNumber(bob, null)).toEqual([bob, carl])
    expect(await sameNumber(bob, 'another key')).toEqual([bob, carl])
    expect(await sameNumber(other)).toEqual([other])
    // An erased lead's number is gone: it only has other erased ones.
    expect(await sameNumber(ada)).toEqual([ada])
    await erase(carl)
    expect(await sameNumber(ada)).toEqual([ada, carl])
    const both = await store.leadsWithSameNumber({ ids: [bob, other], key })
    expect([both.get(bob), both.get(other)]).toEqual([[ada, bob, carl], [other]])
  })

  test('calls and takeovers of all these leads are listed, with corrections and without the erased person', async () => {
    const [ada, bob] = [await capture('ada'), await capture('bob')]
    const start = (leadId: string, person = maria) =>
      store.startCall({ leadId, person, hours, overrideReason: 'they asked for it' })
    const save = { hours, ...saying(ada, 'no answer'), note: 'Ada’s husband' }
    await start(ada)
    const saved = await store.saveCall({ ...save, person: maria })
    await store.undoCall({ hours, callId: 'callId' in saved ? saved.callId : '', person: maria })
    await store.claimCall({ leadId: ada, person: lou, takeOver: true })
    await store.setCallPlace({ leadId: ada, value: 'FL Central', by: 'Lou' })
    await store.claimCall({ leadId: bob, person: lou, takeOver: false })
    await passTime(harness, 7_200_000)
    await start(bob, lou)
    const calls = async () =>
      (await store.callsOfAll([ada, bob])).map(({ leadId, by, outcome }) => [leadId, by, outcome])
    const listed = [
      [ada, 'Maria', 'no answer'],
      [ada, 'Maria', 'undone'],
      [ada, 'Maria', 'not recorded'],
      [bob, 'Lou', 'not recorded'],
    ]
    expect((await calls()).toSorted()).toEqual(listed.toSorted())
    const changes = async () => (await store.recordedEvents([ada, bob])).map(({ event }) => event)
    expect(await changes()).toEqual([
      { kind: 'call taken over', by: 'Lou', from: 'Maria' },
      { kind: 'place set', by: 'Lou', place: 'FL Central' },
    ])
    await erase(ada, bob)
    expect((await calls()).toSorted()).toEqual(listed.toSorted())
    expect(await changes()).toHaveLength(2)
  })

  test('an entry that something else keeps on the list stays, says its history, until nothing does', async () => {
    const leadId = await capture('ada')
    const ask = (by: string) =>
      store.addToDoNotCall({ contacts: [{ phone: '8085550101', requestId: by }], by, leadId, source: 'desk' })
    const undo = (by: string) => store.undoDoNotCall({ requestId: by, by, leadId })
    const events = async () =>
      (await store.doNotCallEvents([leadId])).map(({ event, by, stays }) => `${by} ${event}${stays ? ', stays' : ''}`)
    for (const by of ['Ann', 'Bob']) await ask(by)
    for (const by of ['Ann', 'Bob']) await undo(by)
    const all = ['Ann added', 'Bob confirmed', 'Ann undone, stays', 'Bob undone']
    expect(await events()).toEqual(all)
    // The lead's own history has the same.
    await erase(leadId)
    expect(await events()).toEqual(all)
  })

  test('requests to stop are listed, from the desk and the terminal, and stay after an erasure', async () => {
    const ada = await capture('ada')
    const phone = '8085550101'
    // In the terminal, without a lead. The clock was an hour ahead.
    const loggedAt = new Map([[phone, Date.now() + HOUR]])
    await store.addToDoNotCall({ contacts: [{ phone }], by: 'root', loggedAt })
    const letter = { source: 'letter', askedOn: '2030-01-30' } as const
    await store.addToDoNotCall({ contacts: [{ phone }], by: 'Maria', leadId: ada, ...letter })
    const request = { askedBy: 'person', askedOn: '2030-01-31' } as const
    await store.removeFromDoNotCall({ contacts: [{ phone }], by: 'Lou', leadId: ada, request })
    const events = async () =>
      (await store.doNotCallEvents([ada])).map(({ at: _, ...event }) =>
        Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)),
      )
    const [confirmed, removed] = [
      { contact: 'phone', event: 'confirmed', by: 'Maria', ...letter },
      { contact: 'phone', event: 'removed', by: 'Lou', ...request },
    ]
    expect(await events()).toEqual([{ contact: 'phone', event: 'added', by: 'root' }, confirmed, removed])
    // Entries from before the list had a history.
    await change(`INSERT INTO do_not_call_history (contact, n, at, event) VALUES ('ada@example.org', 0, 5, 'added')`)
    expect((await events())[0]).toEqual({ contact: 'email', event: 'added' })
    await erase(ada)
    expect(await events()).toEqual([confirmed, removed])
  })
})
