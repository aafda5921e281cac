/** Guarantees of both engines for captures with concurrent writers. */
import { expect, test } from 'vitest'
import { contactOf } from '../../../tests/support/lead-store.ts'
import { CONSENT, dead, delivered, HOUR, held, onEachEngine } from '../../../tests/support/store-scene.ts'
import type { Store } from '../store.ts'

onEachEngine('capturing', scene => {
  const { store } = scene

  test('stores everything about a lead and puts it in the outbox', async () => {
    const contact = {
      firstName: 'É"\\{},\'',
      lastName: '李 𝒜',
      dateOfBirth: '1960-02-29',
      email: 'E@Example.org',
      phone: '(555) 234-5678',
    }
    // Not a format we recognize; stored as submitted.
    const url = 'https://cert.trustedform.com/v5/abc?x=1'
    const questionnaireVersion = await store.saveQuestionnaire('How old are you?')
    const { id, state } = await scene.capture('ada', {
      contact,
      page: '/advertorial',
      campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
      certificate: { kind: 'present', url },
      trustedForm: 'sandbox',
      questionnaireVersion,
    })
    expect(state).toBe('accepted')
    expect(await store.find(id)).toMatchObject({
      ...contact,
      id,
      state: 'accepted',
      heldReason: null,
      repeatOf: null,
      clientAddress: '192.0.2.1',
      userAgent: 'test',
      page: '/advertorial',
      campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
      certificate: { url, formKnown: false },
      trustedForm: 'sandbox',
      consentVersion: scene.consentVersion,
      consentPresented: CONSENT,
      questionnaireVersion,
      questionnairePresented: 'How old are you?',
      delivery: { state: 'pending', attempts: 0, finishedAt: null },
      history: [{ event: 'received', detail: '{"state":"accepted","certificate":"present"}' }],
      deliveryAttempts: [],
    })
  })

  test('recognizes a repeat of a lead that another process captured', async () => {
    const { id } = await scene.capture('ada')
    const again = await scene.capture('ada', {}, await scene.open.again())
    expect(again.state).toBe('repeat')
    expect(await store.find(again.id)).toMatchObject({ repeatOf: id, delivery: null })
    expect(await store.find(id)).toMatchObject({ otherLeadsOfThePerson: [again.id] })
  })

  test('accepts one of fifty identical leads sent to three processes at once', async () => {
    const stores = [store, await scene.open.again(), await scene.open.again()]
    // In the first round, two of the stores still have to connect.
    for (const name of ['ada', 'bob', 'carl']) {
      const leads = await Promise.all(
        Array.from({ length: 50 }, (_, index) => scene.capture(name, {}, stores[index % 3] as Store)),
      )
      expect(leads.filter(({ state }) => state === 'accepted')).toHaveLength(1)
      expect(leads.filter(({ state }) => state === 'repeat')).toHaveLength(49)
    }
    expect(await store.lease({ limit: 100, leaseMs: HOUR })).toHaveLength(3)
  })

  test('announces a repeat on request, with a separate delivery', async () => {
    const announceRepeat = true
    const { id } = await scene.capture('ada', { announceRepeat })
    const first = await scene.leaseOne()
    await store.settle(delivered(first))
    const again = await scene.capture('ada', { announceRepeat })
    expect(again.state).toBe('repeat')
    const announced = await scene.leaseOne()
    expect(announced).toMatchObject({ leadId: again.id, webhookId: `lead_${again.id}`, repeatOf: id })
    await store.settle(dead(announced))
    expect(await store.redeliver({ ids: [again.id], by: 'Maria' })).toBe(1)
    expect(await scene.leaseOne()).toMatchObject({ leadId: again.id })
    await scene.capture('ada')
    expect(await store.lease({ limit: 9, leaseMs: HOUR })).toEqual([])
  })

  test('doesn’t announce a repeat that would be held, or a repeat of a held lead', async () => {
    const announceRepeat = true
    await scene.capture('ada', { announceRepeat })
    await scene.capture('bob', { announceRepeat, ...held })
    await scene.leaseOne()
    expect((await scene.capture('ada', { announceRepeat, ...held })).state).toBe('repeat')
    expect((await scene.capture('bob', { announceRepeat, ...held })).state).toBe('repeat')
    expect(await store.lease({ limit: 9, leaseMs: HOUR })).toEqual([])
  })

  test('announces simultaneous repeats, on one machine or two', async () => {
    const stores = [store, await scene.open.again()]
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        scene.capture('ada', { announceRepeat: true }, stores[index % 2] as Store),
      ),
    )
    const leased = await store.lease({ limit: 99, leaseMs: HOUR })
    expect(leased).toHaveLength(10)
    const [first] = leased.filter(({ repeatOf }) => repeatOf === null)
    expect(leased.filter(({ repeatOf }) => repeatOf === first?.leadId)).toHaveLength(9)
  })

  test('holds suspicious leads without a delivery; a clean lead from the same person replaces them', async () => {
    const odd = await scene.capture('ada', held)
    expect(await store.find(odd.id)).toMatchObject({
      state: 'held',
      heldReason: held.holdReason,
      questionnaireVersion: null,
      questionnairePresented: null,
      delivery: null,
      history: [{ detail: '{"state":"held","certificate":"none","heldReason":"a link in the name"}' }],
    })
    expect((await scene.capture('ada', held)).state).toBe('repeat')
    const clean = await scene.capture('ada')
    expect(clean.state).toBe('accepted')
    expect(await store.find(odd.id)).toMatchObject({ state: 'repeat', repeatOf: clean.id, heldReason: null })
    expect((await scene.capture('ada', held)).state).toBe('repeat')
  })

  test('stores a campaign that is too long for an index entry', async () => {
    const campaign = { utm_content: 'x'.repeat(6000) }
    const { id } = await scene.capture('ada', { campaign })
    expect(await store.find(id)).toMatchObject({ campaign })
  })

  test('stores a lead with characters the database rejects', async () => {
    const contact = { ...contactOf('ada'), firstName: 'a\0b\uD800' }
    const { id, state } = await scene.capture('ada', {
      contact,
      userAgent: 'x\0',
      campaign: { utm_source: '\0\uDC00' },
    })
    expect(state).toBe('accepted')
    expect(await store.find(id)).toMatchObject({ lastName: 'Lovelace', delivery: { state: 'pending' } })
  })

  test('refuses a lead with an unknown consent version, and accepts the rest of the batch', async () => {
    const [unknown, known] = await Promise.allSettled([
      scene.capture('eve', { consentVersion: 'f'.repeat(64) }),
      scene.capture('ada'),
    ])
    expect(unknown.status).toBe('rejected')
    expect(known).toMatchObject({ status: 'fulfilled', value: { state: 'accepted' } })
    expect(await scene.names({})).toEqual(['ada'])
  })

  test('stores a lead with its history and delivery, or nothing at all', async () => {
    await scene.open.change('ALTER TABLE deliveries RENAME TO missing')
    await expect(scene.capture('ada')).rejects.toThrow()
    await scene.open.change('ALTER TABLE missing RENAME TO deliveries')
    expect(await store.count({})).toBe(0)
  })

  test('lists the consents and questionnaires stored by any process', async () => {
    const another = await scene.open.again()
    const version = await another.saveConsentText('other words')
    expect(await another.saveConsentText('other words')).toBe(version)
    const asked = await another.saveQuestionnaire('How old are you?')
    const { consents, questionnaires } = await store.presentedVersions()
    expect(consents.toSorted()).toEqual([version, scene.consentVersion].toSorted())
    expect(questionnaires).toEqual([asked])
  })
})
