/** What the visitor who sent a lead can still say: one other number, with the same checks, and when to call. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS } from '../../../../domain/calling/hours.ts'
import { HOUR } from '../../../../domain/durations.ts'
import { contactOf, ERASURE_KEY, maria, saying, submissionOf } from '../../../../tests/support/lead-store.ts'
import { dead, delivered, held, onEachEngine, retry } from '../../../../tests/support/store-engines.ts'
import { tokenHashOf } from './sent-leads.ts'

const oldPhone = contactOf('ada').phone
const newPhone = '(212) 555-0187'

onEachEngine('a lead that was just sent', harness => {
  const { store, historyOf, testOnce } = harness
  const send = (name: string, more: object = {}) => harness.capture(name, { tokenHash: tokenHashOf(name), ...more })
  const correct = (token: string, to = newPhone, from = oldPhone, into = store, more: object = {}) => {
    const {
      contact: _,
      campaign,
      variant,
      questionnaireVersion,
      page,
      language,
      ...facts
    } = submissionOf('', harness.consentVersion)
    const key = { tokenHash: tokenHashOf(token), phone: from }
    return into.correctSentLead({ ...key, newPhone: to, facts: { ...facts, ...more } })
  }
  const rows = async (sql: string) => (await harness.rows(sql)) as readonly Record<string, string | null>[]
  const leads = async () =>
    (await harness.all()).map(({ id, state, repeatOf, phone }) => ({ id, state, repeatOf, phone }))
  const open = async () => {
    const stories = await rows('SELECT phone, plan, promised_at AS promised FROM stories WHERE plan IS NOT NULL')
    return stories.map(({ phone, plan, promised }) => [
      phone,
      JSON.parse(plan ?? '').calls[0]?.kind ?? 'callback',
      promised === null ? null : Number(promised),
    ])
  }
  const outbox = () => rows(`SELECT lead_id, type, state FROM outbox ORDER BY created_at, type`)

  test('is stored again with the other number, and the first one is closed', async () => {
    const first = await send('ada', { campaign: { utm_source: 'tv' } })
    const second = await correct('ada')
    expect(second).toMatchObject({ state: 'accepted' })
    expect(await leads()).toEqual([
      { id: first.id, state: 'repeat', repeatOf: second?.id, phone: oldPhone },
      { id: second?.id, state: 'accepted', repeatOf: null, phone: newPhone },
    ])
    expect(await store.find(second?.id ?? '')).toMatchObject({
      campaign: { utm_source: 'tv' },
      page: submissionOf('', '').page,
    })
    expect(await open()).toEqual([['2125550187', 'new', null]])
    expect(await harness.rows(`SELECT kind FROM story_events ORDER BY kind`)).toEqual(
      ['replaced', 'replaces', 'submitted'].map(kind => ({ kind })),
    )
    // The first one was waiting, so the CRM never hears of it.
    expect(await outbox()).toEqual([{ lead_id: second?.id, type: 'lead.created', state: 'pending' }])
    expect(await historyOf(first.id)).toEqual([
      ['replaced', { by: second?.id, corrected: 'phone', cancelledDelivery: 'pending' }],
    ])
  })

  test.each([
    ['delivered', delivered, ['delivered']],
    ['perhaps sent', retry, []],
    ['failed', dead, []],
  ] as const)('the CRM hears of it if the first one was %s', async (_, settled, kept) => {
    const first = await send('ada')
    await store.settle(settled(await harness.leaseOne()))
    await correct('ada')
    const ofFirst = (await outbox()).filter(({ lead_id }) => lead_id === first.id)
    expect(ofFirst.map(({ type, state }) => (type === 'lead.corrected' ? type : state)).toSorted()).toEqual(
      [...kept, 'lead.corrected'].toSorted(),
    )
  })

  test('a delivery under way isn’t retried, and its success still counts', async () => {
    const first = await send('ada')
    const leased = await harness.leaseOne()
    await correct('ada')
    await store.settle(delivered(leased))
    expect(await outbox()).toContainEqual({ lead_id: first.id, type: 'lead.created', state: 'delivered' })
    expect(await outbox()).toContainEqual({ lead_id: first.id, type: 'lead.corrected', state: 'pending' })
  })

  test('the CRM hears of a later stop if a worker may have sent the first one before it was killed', async () => {
    const first = await send('ada')
    await harness.leaseOne()
    await harness.change('UPDATE outbox SET next_at = 0')
    await correct('ada')
    await store.addToDoNotCall({ contacts: [{ phone: oldPhone }], by: 'Maria' })
    expect(await outbox()).toContainEqual({ lead_id: first.id, type: 'lead.do_not_call', state: 'pending' })
    await store.removeFromDoNotCall({ contacts: [{ phone: oldPhone }], by: 'Maria', request: null })
    expect(await outbox()).toContainEqual({ lead_id: first.id, type: 'lead.created', state: 'withdrawn' })
    const { sent } = await store.erase({ ids: [first.id], key: ERASURE_KEY, by: 'Maria' })
    expect(sent).toMatchObject([{ id: first.id, attempts: 0, inFlight: false }])
  })

  test('a promise moves to the other number, also if the person’s lead there is open already or on hold', async () => {
    /** Sends a lead, promises a call, and corrects the number. */
    const promised = async (from: string, to: string, more: object = {}) => {
      const { id: leadId } = await send(from, { contact: { ...contactOf('ada'), phone: from } })
      await store.claimCall({ leadId, person: maria, takeOver: false })
      const callbackAt = (await store.storeTime()) + 5 * HOUR
      const call = { leadId, person: maria, hours: DEMO_CALLING_HOURS }
      const saved = await store.saveCall({ ...call, ...saying(leadId, 'call back', callbackAt) })
      expect(saved.kind).toBe('saved')
      return { callbackAt, lead: await correct(from, to, from, store, more) }
    }
    const first = await promised('(212) 555-0111', newPhone)
    expect(await open()).toEqual([['2125550187', 'callback', first.callbackAt]])
    // The earlier promise stands.
    expect((await promised('(212) 555-0112', newPhone)).lead).toMatchObject({ state: 'repeat' })
    expect(await open()).toEqual([['2125550187', 'callback', first.callbackAt]])

    await send('open', { contact: { ...contactOf('ada'), phone: '(212) 555-0188' } })
    const repeat = await promised('(212) 555-0113', '(212) 555-0188')
    expect(await open()).toContainEqual(['2125550188', 'new', repeat.callbackAt])

    const { callbackAt, lead } = await promised('(212) 555-0114', '(212) 555-0189', held)
    expect(await open()).toHaveLength(2)
    await store.approve({ ids: [lead?.id ?? ''], by: 'Maria' })
    expect(await open()).toContainEqual(['2125550189', 'callback', callbackAt])

    // Whether they're kept counts with the number they moved to.
    await harness.change(`UPDATE promises SET at = at - ${6 * HOUR}`)
    const at = await store.storeTime()
    const { agents, calls, firstCalls } = await store.callStats({ since: at - HOUR, until: at + 9 * HOUR })
    expect([calls, firstCalls?.of, agents[0]?.missedCallbacks]).toEqual([4, 4, 0])
    const { agents: late } = await store.callStats({ since: at - 3 * HOUR, until: at + 9 * HOUR })
    expect(late[0]?.missedCallbacks).toBe(3)
    expect(await harness.all({ call: { personId: maria.id, missedAt: at } })).toHaveLength(3)
  })

  test('is corrected once, also by two tabs at once', async () => {
    await send('ada')
    const another = await harness.openAnother()
    const both = await Promise.all([correct('ada'), correct('ada', '(212) 555-0188', oldPhone, another)])
    expect(both.filter(lead => lead === null)).toHaveLength(1)
    expect(await correct('ada', '(212) 555-0189')).toBeNull()
    // The same correction, sent again because its answer got lost, is answered alike.
    await send('bob')
    const [one, two] = await Promise.all([correct('bob'), correct('bob', newPhone, oldPhone, another)])
    expect(one).toMatchObject({ id: two?.id, state: 'accepted' })
    expect(await correct('bob')).toMatchObject({ id: one?.id })
    expect(await harness.all()).toHaveLength(4)
  })

  testOnce('isn’t corrected with another token, after half an hour, or if it was erased or rejected', async () => {
    await send('ada', { contact: { ...contactOf('ada'), phone: '(212) 555-0111' } })
    // The tab has another number than the token's lead.
    expect(await correct('ada')).toBeNull()
    expect(await correct('nobody')).toBeNull()
    const { id } = await send('old')
    await harness.change(`UPDATE sent_leads SET sent_at = sent_at - ${31 * 60_000}`)
    expect(await correct('old')).toBeNull()
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
    const { id: rejected } = await send('rejected', held)
    await store.reject({ ids: [rejected], reason: 'a joke', by: 'Maria' })
    expect(await correct('rejected')).toBeNull()
    expect(await open()).toHaveLength(1)
    expect(await harness.rows(`SELECT * FROM sent_leads WHERE lead_id = '${id}'`)).toEqual([])
  })

  test.each([
    ['the number', { phone: newPhone }],
    ['the email', { email: 'ada@example.org' }],
  ])('with %s on the do-not-call list, it’s answered alike, and on hold', async (_, contact) => {
    const first = await send('ada')
    await store.addToDoNotCall({ contacts: [contact], by: 'Maria' })
    const second = await correct('ada')
    expect(second).toMatchObject({ state: 'held' })
    expect(await correct('ada', '(212) 555-0188')).toBeNull()
    expect(await leads()).toMatchObject([{ id: first.id, state: 'repeat', repeatOf: second?.id }, { id: second?.id }])
    expect(await open()).toEqual([])
  })

  testOnce('one on hold stays on hold, unless the number was why', async () => {
    await send('ada', held)
    await send('bob', { holdReason: 'phone number cannot exist' })
    expect(await correct('ada')).toMatchObject({ state: 'held' })
    expect(await correct('bob')).toMatchObject({ state: 'accepted' })
    expect((await harness.all({ state: 'held' })).map(({ heldReason }) => heldReason)).toEqual([held.holdReason])
  })

  testOnce('after a repeat, the earlier lead is closed', async () => {
    const { id } = await send('ada')
    await send('ada', { tokenHash: tokenHashOf('again') })
    const lead = await correct('again')
    expect((await leads())[0]).toMatchObject({ id, state: 'repeat', repeatOf: lead?.id })
    expect(await open()).toEqual([['2125550187', 'new', null]])
  })

  testOnce('after an announced repeat, the CRM doesn’t hear of it, or hears that it was corrected', async () => {
    await send('ada')
    await store.settle(delivered(await harness.leaseOne()))
    const ofRepeats = async () =>
      (await outbox()).filter(({ lead_id }) => repeats.includes(lead_id ?? '')).map(({ type, state }) => [type, state])
    const announced = { announceRepeat: true, tokenHash: tokenHashOf('again') }
    const repeats = [(await send('ada', announced)).id]
    await correct('again')
    expect(await ofRepeats()).toEqual([])
    expect(await historyOf(repeats[0] ?? '')).toContainEqual(['replaced', expect.anything()])

    await send('bob', { contact: { ...contactOf('bob'), phone: oldPhone } })
    const sent = { ...announced, tokenHash: tokenHashOf('sent'), contact: { ...contactOf('bob'), phone: oldPhone } }
    repeats.push((await send('bob', sent)).id)
    const leased = [await harness.leaseOne(), await harness.leaseOne(), await harness.leaseOne()]
    await correct('sent', '(212) 555-0188')
    await store.addToDoNotCall({ contacts: [{ phone: oldPhone }], by: 'Maria', source: 'desk' })
    await store.removeFromDoNotCall({ contacts: [{ phone: oldPhone }], by: 'Maria', request: null })
    expect(leased.map(({ leadId }) => leadId)).toContain(repeats[1])
    expect((await ofRepeats()).toSorted()).toEqual([
      ['lead.corrected', 'pending'],
      ['lead.repeated', 'withdrawn'],
    ])
  })

  test('all of the person’s leads are found by any of them, to erase them, also after two corrections', async () => {
    const first = await send('ada')
    const repeat = await send('ada', { tokenHash: tokenHashOf('again') })
    const second = await correct('again')
    const contact = { ...contactOf('ada'), phone: newPhone }
    const third = await send('ada', { contact, tokenHash: tokenHashOf('third') })
    const fourth = await correct('third', '(212) 555-0188', newPhone)
    const ids = [first.id, repeat.id, second?.id, third.id, fourth?.id]
    for (const id of ids) {
      const found = await store.leadsOfPerson({ id: id ?? '' })
      expect(found.map(lead => lead.id)).toEqual(ids)
    }
  })

  test('a preferred time moves the first call, and stays with the corrected number’s token', async () => {
    await send('ada')
    const now = await store.storeTime()
    const time = { from: now + HOUR, until: now + 3 * HOUR }
    const prefer = (phone: string) => store.preferCallTime({ tokenHash: tokenHashOf('ada'), phone, time })
    const planned = async () =>
      (await rows('SELECT new_at AS at FROM stories WHERE plan IS NOT NULL')).map(({ at }) => Number(at))
    await prefer(oldPhone)
    expect(await planned()).toEqual([time.from])
    await correct('ada')
    await prefer(oldPhone)
    await prefer(newPhone)
    expect(await planned()).toEqual([time.from])
  })

  testOnce('a time can be changed twice, so nobody can push a number’s calls out of its plan', async () => {
    await send('ada')
    const now = await store.storeTime()
    const prefer = (hours: number) => {
      const time = { from: now + hours * HOUR, until: now + (hours + 2) * HOUR }
      return store.preferCallTime({ tokenHash: tokenHashOf('ada'), phone: oldPhone, time })
    }
    for (const hours of [1, 1, 2, 3, 3, 4]) await prefer(hours)
    expect(await rows(`SELECT n FROM story_events WHERE kind = 'preferred'`)).toHaveLength(3)
  })
})
