/** Who became a client: marked by staff or by the CRM. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../../domain/calling/hours.ts'
import type { CallOutcomeName } from '../../../../domain/calling/outcomes.ts'
import { HOUR } from '../../../../domain/durations.ts'
import { contactOf, ERASURE_KEY, maria as person, saying, submissionOf } from '../../../../tests/support/lead-store.ts'
import { deliverAll, delivered, onEachEngine } from '../../../../tests/support/store-engines.ts'

const by = 'Maria'
const on = '2030-01-31'

onEachEngine('a client', harness => {
  const { store, capture, historyOf, names } = harness
  const called = async (name: string, phone: string, outcome: CallOutcomeName = 'not interested') => {
    const { id } = await capture(name, { contact: { ...contactOf(name), phone } })
    await store.claimCall({ leadId: id, person, takeOver: false })
    await store.saveCall({ person, hours, ...saying(id, outcome) })
    return id
  }

  test('is someone who was reached, once, until someone takes it back', async () => {
    const [ada, bob] = [await called('ada', '(212) 555-0101'), await called('bob', '(212) 555-0102', 'voicemail')]
    expect(await store.markClient({ leadId: bob, on, by })).toBe(false)
    const both = await Promise.all([1, 2].map(() => store.markClient({ leadId: ada, on, by })))
    expect(both.toSorted()).toEqual([false, true])
    expect(await names({ soFar: 'client' })).toEqual(['ada'])
    expect(await store.find(ada)).toMatchObject({ clientOn: on, wasReached: true })
    expect(await store.undoClient({ leadId: ada, by })).toBe(true)
    expect(await store.undoClient({ leadId: ada, by })).toBe(false)
    expect((await historyOf(ada)).slice(-2)).toEqual([
      ['client', { on, by }],
      ['client undone', { on, by }],
    ])
    expect((await store.recordedEvents([ada])).map(({ event }) => event.kind)).toEqual(['client', 'client undone'])
    expect(await names({ soFar: 'client' })).toEqual([])
  })

  test('can be marked while saving the call, in one step with one Undo, unless someone marked them again since', async () => {
    const saveAs = async (leadId: string, outcome: CallOutcomeName) => {
      await store.claimCall({ leadId, person, takeOver: false })
      const saved = await store.saveCall({ person, hours, ...saying(leadId, outcome), client: on, announce: true })
      return saved.kind === 'saved' ? saved.callId : ''
    }
    const { id: ada } = await capture('ada')
    const { id: bob } = await capture('bob', { contact: { ...contactOf('bob'), phone: '(212) 555-0102' } })
    await deliverAll(store)
    const undo = (callId: string) => store.undoCall({ callId, person, hours, announce: true })
    const callId = await saveAs(ada, 'going ahead')
    expect(await store.find(ada)).toMatchObject({ clientOn: on })
    await undo(callId)
    expect(await store.find(ada)).toMatchObject({ clientOn: null })
    // Nobody was reached.
    await saveAs(bob, 'no answer')
    expect(await store.find(bob)).toMatchObject({ clientOn: null })
    const again = await saveAs(ada, 'going ahead')
    await store.undoClient({ leadId: ada, by: 'Lou' })
    await store.markClient({ leadId: ada, on, by: 'Lou' })
    await undo(again)
    expect(await store.find(ada)).toMatchObject({ clientOn: on })
  })

  test('of the CRM is recorded once, on the lead that goes on, whatever our calls said', async () => {
    const { id: ada } = await capture('ada')
    const { id: repeat } = await capture('ada')
    const report = (webhookId: string, leadId = repeat) => store.clientFromCrm({ webhookId, leadId, on })
    expect(await report('1', 'no such lead')).toBe('unknown lead')
    expect([await report('1'), await report('1'), await report('2')]).toEqual(['recorded', 'known', 'known'])
    expect(await store.find(ada)).toMatchObject({ clientOn: on })
    // Sent again after someone took it back.
    await store.undoClient({ leadId: ada, by })
    expect(await report('1')).toBe('known')
    expect(await store.find(ada)).toMatchObject({ clientOn: null })
  })

  test('is news for a CRM that has the lead, unless it said so itself or can’t have heard of what was undone', async () => {
    const id = await called('ada', '(212) 555-0101')
    await deliverAll(store)
    const client = { leadId: id, on, by, announce: true }
    const news = async () => (await store.queuedEvents({ lane: 'calls', limit: 9 })).map(({ detail }) => detail)
    await store.markClient({ ...client, announce: false })
    await store.undoClient({ ...client, announce: false })
    await store.markClient(client)
    expect(await news()).toEqual([{ on, by }])
    await store.undoClient(client)
    await store.clientFromCrm({ webhookId: '1', leadId: id, on })
    expect(await news()).toEqual([])
    await store.undoClient(client)
    expect(await news()).toEqual([{ on: null, by }])
    const lease = () => store.lease({ lane: 'calls', limit: 9, leaseMs: HOUR })
    for (const each of await lease()) await store.settle(delivered(each))
    await store.markClient(client)
    expect(await lease()).toMatchObject([{ type: 'lead.client', detail: { on, by } }])
    await store.undoClient(client)
    expect(new Set(await news())).toEqual(
      new Set([
        { on, by },
        { on: null, by },
      ]),
    )
  })

  test('stays one after a corrected number, and after an erasure as a day only', async () => {
    const ada = await called('ada', '(212) 555-0101')
    await store.markClient({ leadId: ada, on, by })
    const seen = { ...contactOf('ada'), phone: '(212) 555-0101' }
    const { contact: _, page: __, language: ___, ...facts } = submissionOf('', harness.consentVersion)
    const corrected = { ...seen, phone: '(212) 555-0102' }
    const spoken = { ...facts, consentTakenBy: by }
    await store.correctLead({ leadId: ada, person, seen, corrected, reason: 'mistyped', spoken })
    const [client] = await harness.all({ soFar: 'client' })
    expect([client?.id === ada, client?.phone, client?.clientOn]).toEqual([false, '(212) 555-0102', on])
    await store.erase({ ids: [ada], key: ERASURE_KEY, by })
    expect(await harness.all({ soFar: 'client' })).toMatchObject([{ state: 'erased', clientOn: on, firstName: null }])
    expect(await store.clientFromCrm({ webhookId: '1', leadId: ada, on })).toBe('unknown lead')
  })
})
