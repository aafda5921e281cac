/** Calls that come in, on each engine: what they count as, and who else has the number. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../../domain/calling/hours.ts'
import { HOUR } from '../../../../domain/durations.ts'
import { bob, contactOf, ERASURE_KEY, maria, saying } from '../../../../tests/support/lead-store.ts'
import { held, onEachEngine } from '../../../../tests/support/store-engines.ts'

const phone = '(212) 555-0101'

onEachEngine('a call that comes in', harness => {
  const { store, testOnce } = harness
  const capture = async (name: string, more: object = {}) =>
    (await harness.capture(name, { contact: { ...contactOf(name), phone }, ...more })).id
  const take = (leadId: string, person = maria) => store.takeCall({ leadId, person, hours })
  const save = (
    leadId: string,
    outcome: 'going ahead' | 'call back' | 'never call again',
    callbackAt: number | null = null,
  ) => store.saveCall({ person: maria, hours, ...saying(leadId, outcome, callbackAt) })
  const state = async (leadId: string, personId = maria.id) => {
    const found = await store.callState({ leadId, personId, hours })
    if (!found) throw new Error('erased')
    return found
  }
  const soon = async () => (await store.storeTime()) + HOUR

  test('uses up no dial and no limit, isn’t a first call, and is counted apart, once if it’s passed on', async () => {
    const [ada] = [await capture('ada'), await capture('bea')]
    for (const person of [bob, { id: 'cal', name: 'Cal' }, { id: 'dee', name: 'Dee' }, maria]) await take(ada, person)
    expect(await take(ada)).toMatchObject({ kind: 'taken' })
    expect(await state(ada)).toMatchObject({
      whose: { call: { incoming: true } },
      block: null,
      call: { kind: 'new', tries: 0 },
    })
    expect(await save(ada, 'call back', await soon())).toMatchObject({ kind: 'saved', call: { kind: 'callback' } })
    await store.recordUnknownCaller({ person: bob })
    const at = await store.storeTime()
    const period = { since: at - HOUR, until: at + HOUR }
    expect(await store.callStats(period)).toMatchObject({
      calls: 0,
      people: 0,
      incoming: 2,
      unknownCallers: 1,
      calledUs: 1,
      firstCalls: null,
      agents: expect.arrayContaining([expect.objectContaining({ name: 'Maria', calls: 0, calledUs: 1 })]),
    })
    expect(await harness.all({ call: { ...period, incoming: true, personId: maria.id } })).toHaveLength(1)
    expect(await store.callLog(ada)).toContainEqual(
      expect.objectContaining({ by: 'Maria', incoming: true, outcome: 'call back' }),
    )
  })

  test('can be taken by someone on the do-not-call list, and ends with a stop, but not with a promise', async () => {
    const [ada] = [await capture('ada'), await capture('bob')]
    await capture('bob', { contact: { ...contactOf('bob'), phone, email: 'bob@work.example.org' } })
    await store.addToDoNotCall({ contacts: [{ phone }], by: 'Ana' })
    await take(ada)
    expect(await save(ada, 'call back', await soon())).toMatchObject({ kind: 'callback refused' })
    const request = { person: maria, hours, leadId: ada, note: null }
    const stop = { outcome: 'never call again', leads: [ada], asked: 'person' } as const
    expect(await store.saveCall({ ...request, outcomes: [stop] })).toMatchObject({
      kind: 'saved',
      blocked: ['2125550101', contactOf('ada').email],
    })
  })

  testOnce('is one call, of the person who turns out to be on the phone', async () => {
    const [ada, bea] = [await capture('ada'), await capture('bea')]
    await take(ada)
    await take(bea)
    expect(await store.unfinishedCalls(maria.id)).toMatchObject([{ leadId: bea, incoming: true }])
    expect(await save(bea, 'going ahead')).toMatchObject({ kind: 'saved' })
    expect(await store.unfinishedCalls(maria.id)).toEqual([])
    const at = await store.storeTime()
    expect(await store.callStats({ since: at - HOUR, until: at + HOUR })).toMatchObject({ incoming: 1, calledUs: 1 })
    expect(await state(ada)).toMatchObject({ call: { kind: 'new', tries: 0 } })
  })

  testOnce('takes the number over from a colleague who only has it open, not from one who dialed', async () => {
    const ada = await capture('ada')
    await store.claimCall({ leadId: ada, person: bob, takeOver: false })
    await take(ada)
    expect(await state(ada, bob.id)).toMatchObject({ whose: { kind: 'taken', by: { name: 'Maria' } } })
    await store.withdrawCall({ leadId: ada, person: maria, hours })
    await store.startCall({ leadId: ada, person: bob, hours, overrideReason: null })
    await take(ada)
    expect(await state(ada)).toMatchObject({ whose: { call: { incoming: true } } })
    expect(await state(ada, 'cal')).toMatchObject({ whose: { kind: 'taken', by: { name: 'Bob' } } })
    expect(await save(ada, 'going ahead')).toMatchObject({ kind: 'saved' })
    expect(await store.unfinishedCalls(bob.id)).toMatchObject([{ leadId: ada, incoming: false }])
  })

  testOnce('is back as it was after Undo, and gone if there was no call', async () => {
    const ada = await capture('ada')
    await take(ada)
    const saved = await save(ada, 'never call again')
    await store.undoCall({ callId: saved.kind === 'saved' ? saved.callId : '', person: maria, hours })
    expect(await state(ada)).toMatchObject({ whose: { call: { incoming: true } }, block: null })
    expect(await state(ada, bob.id)).toMatchObject({ whose: { kind: 'taken', by: { name: 'Maria' } } })
    await store.withdrawCall({ leadId: ada, person: maria, hours })
    expect(await state(ada)).toMatchObject({ whose: { kind: 'free' }, call: { kind: 'new' } })
  })

  test('finds everyone with the number, accepted first, each once, until they’re erased', async () => {
    const names = async () =>
      (await store.peopleWithNumber('212-555-0101')).map(({ firstName, state }) => [firstName, state])
    const [ada] = [await capture('ada'), await capture('ada', { page: '/again' }), await capture('bob', held)]
    expect(await names()).toEqual([
      ['ada', 'accepted'],
      ['bob', 'held'],
    ])
    const [, second] = await store.peopleWithNumber(phone)
    expect(await take(second?.leadId ?? '')).toMatchObject({ kind: 'closed' })
    await take(ada)
    await store.erase({ ids: (await store.leadsOfPerson({ phone })).map(({ id }) => id), key: ERASURE_KEY, by: 'test' })
    expect(await names()).toEqual([])
    expect(await take(ada)).toMatchObject({ kind: 'closed' })
    expect(await store.callLog(ada)).toMatchObject([{ incoming: true, by: 'Maria' }])
  })
})
