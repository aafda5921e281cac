/** Managers' figures on each engine: what counts, and what doesn't. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import type { CallGroup } from '../../../domain/calling/list.ts'
import type { CallOutcomeName } from '../../../domain/calling/outcomes.ts'
import { campaignKey } from '../../../domain/campaigns/campaign.ts'
import { DAY, HOUR, MINUTE } from '../../../domain/durations.ts'
import { bob, contactOf, ERASURE_KEY, maria, saying } from '../../../tests/support/lead-store.ts'
import { passTime } from '../../../tests/support/pass-time.ts'
import { held, onEachEngine } from '../../../tests/support/store-engines.ts'

onEachEngine('figures about calls', harness => {
  const { store, change, testOnce } = harness
  let people = 0

  /** A person in New York who has been waiting for some minutes. */
  async function capture(name: string, waitedMinutes = 0, more: object = {}) {
    const contact = { ...contactOf(name), phone: `(212) 555-${String(1000 + people++)}` }
    const { id } = await harness.capture(name, { contact, ...more })
    if (waitedMinutes > 0) await wait(id, waitedMinutes * MINUTE)
    return id
  }

  async function call(
    leadId: string,
    person: typeof maria,
    outcome: CallOutcomeName,
    callbackAt: number | null = null,
  ) {
    await store.startCall({ leadId, person, hours, overrideReason: null })
    const saved = await store.saveCall({ person, hours, ...saying(leadId, outcome, callbackAt) })
    return saved.kind === 'saved' ? saved.callId : saved.kind
  }

  /** Moves the lead's calls into the past. */
  const wait = (leadId: string, ms: number) => passTime(harness, ms, leadId)

  const stats = async (since = -HOUR, until = HOUR) => {
    const at = await store.storeTime()
    return store.callStats({ since: at + since, until: at + until })
  }
  const outcomesOf = ({ outcomes }: Awaited<ReturnType<typeof stats>>) =>
    Object.fromEntries(outcomes.filter(({ people }) => people > 0).map(({ outcome, people }) => [outcome, people]))

  test('a call is listed at the time when it was dialed, on the person’s page and among one’s own', async () => {
    const ada = await capture('ada')
    await store.startCall({ leadId: ada, person: maria, hours, overrideReason: null })
    await wait(ada, 8 * MINUTE)
    await store.saveCall({ person: maria, hours, ...saying(ada, 'voicemail') })
    const [shown] = await store.callLog(ada)
    expect((shown?.savedAt ?? 0) - (shown?.startedAt ?? 0)).toBeGreaterThan(7 * MINUTE)
    expect(await store.recentCalls(maria.id)).toMatchObject([{ at: shown?.startedAt }])
  })

  test('count calls, people, results, and the median wait, in total and by person', async () => {
    await call(await capture('ada', 4), maria, 'going ahead')
    await call(await capture('ben', 10), maria, 'no answer')
    await call(await capture('cal', 60), bob, 'not interested')
    const dialed = await capture('dee', 5)
    await store.startCall({ leadId: dialed, person: bob, hours, overrideReason: null })
    const figures = await stats()
    expect(figures).toMatchObject({
      calls: 4,
      people: 4,
      firstCalls: { minutes: 5, longest: 60, of: 4 },
      agents: [
        { name: 'Bob', calls: 2, reached: 1, firstCalls: { minutes: 5, of: 2 }, missedCallbacks: 0 },
        { name: 'Maria', calls: 2, reached: 1, firstCalls: { minutes: 4, of: 2 }, missedCallbacks: 0 },
      ],
    })
    const results = { 'going ahead': 1, 'no answer': 1, 'not interested': 1, 'not recorded': 1 }
    expect(outcomesOf(figures)).toEqual(results)
  })

  testOnce('leave out calls that were undone or withdrawn, and other periods', async () => {
    const ada = await capture('ada', 30)
    await store.undoCall({ hours, callId: await call(ada, maria, 'wrong number'), person: maria })
    await store.withdrawCall({ hours, leadId: ada, person: maria })
    expect(await stats()).toMatchObject({ calls: 0, people: 0, firstCalls: null, agents: [], campaigns: [] })
    // The corrected outcome counts once.
    await call(ada, maria, 'voicemail')
    expect(outcomesOf(await stats())).toEqual({ voicemail: 1 })
    expect(await stats()).toMatchObject({ calls: 1, firstCalls: { minutes: 30, longest: 30, of: 1 } })
    await wait(ada, 2 * HOUR)
    expect((await stats()).calls).toBe(0)
    expect((await stats(-3 * HOUR, -HOUR)).calls).toBe(1)
  })

  test('count who moves forward once, in both directions, until it’s undone', async () => {
    const phone = '(212) 555-0177'
    const lead = (name: string, email: string) =>
      harness.capture(name, { contact: { ...contactOf(name), phone, email } }).then(({ id }) => id)
    // Two requests of one person, and someone else with the same number.
    const [ada, again] = [await lead('ada', 'ada@home.example.org'), await lead('ada', 'ada@work.example.org')]
    const bea = await lead('bea', 'bea@example.org')
    const save = (leadIds: readonly string[], person: typeof maria) =>
      store.saveCall({
        person,
        hours,
        leadId: leadIds[0] ?? '',
        note: null,
        outcomes: [{ outcome: 'going ahead', callbackAt: null, leads: leadIds }],
      })
    await store.startCall({ leadId: ada, person: maria, hours, overrideReason: null })
    await save([ada, again], maria)
    await store.takeCall({ leadId: bea, person: bob, hours })
    const saved = await save([bea], bob)
    const figures = async () => {
      const { goingAhead, reached, people, calledUs, agents } = await stats()
      return { goingAhead, reached, people, calledUs, by: agents.map(agent => [agent.name, agent.goingAhead]) }
    }
    const now = await store.storeTime()
    const period = { since: now - HOUR, until: now + HOUR }
    const both = [
      ['Maria', 1],
      ['Bob', 1],
    ]
    expect(await figures()).toEqual({ goingAhead: 2, reached: 2, people: 1, calledUs: 1, by: both })
    expect(await store.callTotals(period)).toMatchObject({ goingAhead: 2, people: 1 })
    const call = { ...period, outcomes: ['going ahead'], eachPersonOnce: true }
    expect((await harness.all({ call })).map(({ id }) => id)).toEqual([ada, bea])
    // What comes later takes nothing away.
    await store.startCall({ leadId: ada, person: maria, hours, overrideReason: 'They asked for it.' })
    await store.saveCall({ person: maria, hours, ...saying(ada, 'not interested') })
    expect((await figures()).goingAhead).toBe(2)
    await store.undoCall({ hours, callId: saved.kind === 'saved' ? saved.callId : '', person: bob })
    expect(await figures()).toMatchObject({ goingAhead: 1, reached: 1 })
  })

  testOnce('measure the wait only for first calls: since the lead arrived, or the person submitted again', async () => {
    const ada = await capture('ada', 20)
    await call(ada, maria, 'no answer')
    await wait(ada, 2 * HOUR)
    await call(ada, maria, 'going ahead')
    expect(await stats(-DAY)).toMatchObject({ calls: 2, people: 1, firstCalls: { minutes: 20, of: 1 } })
    await wait(ada, 2 * HOUR)
    people--
    await capture('ada')
    await wait(ada, 7 * MINUTE)
    await call(ada, bob, 'going ahead')
    expect((await stats(-DAY)).agents.find(({ name }) => name === 'Bob')?.firstCalls).toEqual({
      minutes: 7,
      longest: 7,
      of: 1,
    })
  })

  testOnce('count callbacks that nobody made within 15 minutes for the person who promised them', async () => {
    const promise = async (name: string) => {
      const id = await capture(name)
      await call(id, maria, 'call back', (await store.storeTime()) + 2 * HOUR)
      return id
    }
    const [kept, late, missed, stopped, undone, withdrawn] = [
      await promise('ada'),
      await promise('ben'),
      await promise('cal'),
      await promise('dee'),
      await promise('eve'),
      await promise('fay'),
    ]
    // Not due yet.
    await promise('gus')
    await store.addToDoNotCall({ contacts: [{ email: 'dee@example.org' }], by: 'Maria' })
    const [attempt] = await store.callLog(undone)
    await store.undoCall({ hours, callId: attempt?.id ?? '', person: maria })
    for (const id of [kept, stopped, undone]) await wait(id, 2 * HOUR + 5 * MINUTE)
    await change(`UPDATE do_not_call SET added_at = added_at - ${HOUR}`)
    await call(kept, bob, 'no answer')
    await store.startCall({ leadId: withdrawn, person: bob, hours, overrideReason: 'They asked for it.' })
    await store.withdrawCall({ hours, leadId: withdrawn, person: bob })
    for (const id of [late, missed, withdrawn]) await wait(id, 2 * HOUR + 16 * MINUTE)
    await call(late, bob, 'going ahead')
    await wait(kept, HOUR)
    await wait(stopped, HOUR)
    const { agents } = await stats(-DAY, DAY)
    expect(agents.map(({ name, missedCallbacks }) => [name, missedCallbacks])).toEqual([
      ['Maria', 3],
      ['Bob', 0],
    ])
    const missedAt = await store.storeTime()
    expect(await harness.all({ call: { personId: maria.id, missedAt } })).toHaveLength(3)
    // Someone who was promised another one, too, is named once.
    await call(missed, maria, 'call back', missedAt + 2 * HOUR)
    await wait(missed, 2 * HOUR + 16 * MINUTE)
    const again = await stats(-DAY, DAY)
    expect(again.agents.map(({ missedCallbacks }) => missedCallbacks)).toEqual([3, 0])
    expect(again.missed.map(({ leadId }) => leadId).toSorted()).toEqual([late, missed, withdrawn].toSorted())
  })

  test('count each campaign’s leads once, by what came of all their calls', async () => {
    const campaign = { utm_source: 'radio' }
    const ada = await capture('ada', 0, { campaign })
    await call(ada, maria, 'no answer')
    await wait(ada, 2 * HOUR)
    await call(ada, maria, 'going ahead')
    await call(await capture('ben', 0, { campaign }), maria, 'wrong number')
    await call(await capture('cal', 0, { campaign }), bob, 'never call again')
    await capture('dee', 0, { campaign })
    const erased = await capture('eve', 0, { campaign })
    await call(erased, bob, 'not interested')
    await store.erase({ ids: [erased], key: ERASURE_KEY, by: 'Maria' })
    const { campaigns } = await stats(-DAY)
    expect(campaigns.toSorted((a, b) => b.called - a.called)).toEqual([
      { campaign: campaignKey(campaign), called: 3, reached: 2, goingAhead: 1, wrongNumber: 1, neverCall: 1 },
      { campaign: '', called: 1, reached: 1, goingAhead: 0, wrongNumber: 0, neverCall: 0 },
    ])
    expect((await stats(-2 * DAY, -DAY)).campaigns).toEqual([])
  })

  test('say who is waiting, and for how long', async () => {
    expect(await store.callsWaiting(hours)).toEqual({
      people: 0,
      longest: [],
      long: 0,
      withoutPlace: 0,
      missedCallbacks: 0,
      lastCallAt: null,
    })
    const waiting = [await capture('ada', 45), await capture('ben', 29)]
    await capture('unknown', 300, { contact: { ...contactOf('unknown'), phone: '(800) 555-0100' } })
    await capture('on hold', 300, held)
    const called = await capture('cal', 300)
    await call(called, maria, 'no answer')
    await store.startCall({ leadId: await capture('dialing', 300), person: bob, hours, overrideReason: null })
    const promised = await capture('dee')
    await call(promised, maria, 'call back', (await store.storeTime()) + 2 * HOUR)
    expect(await store.callsWaiting(hours)).toMatchObject({ people: 3, long: 1, withoutPlace: 1, missedCallbacks: 0 })
    await wait(promised, 136 * MINUTE)
    const { missedCallbacks, longest } = await store.callsWaiting(hours)
    expect([missedCallbacks, Math.floor((longest[0]?.ms ?? 0) / MINUTE)]).toEqual([1, 45])
    expect(longest.map(({ leadId }) => leadId)).toEqual(waiting)
    // The list has the same people.
    const named = async (only: CallGroup) => {
      const request = { personId: bob.id, hours, limit: 50, dayEnds: await store.storeTime(), only }
      const { ready, later } = await store.callList(request)
      return [...ready, ...later].map(({ people }) => people[0]?.firstName)
    }
    expect([await named('missed'), await named('waiting')]).toEqual([['dee'], ['ada']])
    await wait(waiting[1] ?? '', HOUR)
    expect(await named('waiting')).toEqual(['ben', 'ada'])
  })
})
