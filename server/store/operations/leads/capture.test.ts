/** Capturing leads with concurrent writers, and recognizing repeats. */
import { describe, expect, test } from 'vitest'
import { HOUR } from '../../../../domain/durations.ts'
import { spokenConsentAsPresented } from '../../../../domain/leads/as-presented.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { contactOf } from '../../../../tests/support/lead-store.ts'
import { CONSENT, dead, delivered, held, onEachEngine } from '../../../../tests/support/store-engines.ts'
import { personKeyOf } from '../../facts/leads/person-keys.ts'
import type { Store } from '../../store.ts'
import type { Submission } from './capture.ts'

const ada = contactOf('ada')

describe('a person', () => {
  test.each<[string, Partial<Contact>]>([
    ['in capitals', { firstName: 'ADA', lastName: 'LOVELACE', email: 'Ada@Example.ORG' }],
    ['with different spacing', { firstName: ' a da ', lastName: 'Love lace', email: ' ada@example.org ' }],
    ['with accents', { firstName: 'Àda', lastName: 'Lovelace\u0301' }],
    ['with a hyphen or an apostrophe', { lastName: "Love-l'ace" }],
    ['with the number formatted differently', { phone: '+1 555.210.0199' }],
  ])('is recognized %s', (_, difference) => expect(personKeyOf({ ...ada, ...difference })).toBe(personKeyOf(ada)))

  test.each<[string, Partial<Contact>]>([
    ['first name', { firstName: 'Eda' }],
    ['last name', { lastName: 'Byron' }],
    ['date of birth', { dateOfBirth: '1965-12-11' }],
    ['email address', { email: 'ada@example.net' }],
    ['phone number', { phone: '(555) 010-0198' }],
    ['split between first and last name', { firstName: 'adaLove', lastName: 'lace' }],
    ['name in another script', { firstName: '李' }],
  ])('is not recognized with a different %s', (_, difference) => {
    expect(personKeyOf({ ...ada, ...difference })).not.toBe(personKeyOf(ada))
  })

  test('isn’t confused with someone else when neither name has letters', () => {
    expect(personKeyOf({ ...ada, firstName: '…' })).not.toBe(personKeyOf({ ...ada, firstName: '?' }))
  })

  test('has a key that reveals nothing about them', () => {
    expect(personKeyOf(ada)).toMatch(/^v2 [0-9a-f]{10}[\w-]{22}$/)
  })
})

onEachEngine('capturing', harness => {
  const { store, capture } = harness
  const captureAda = (contact: Partial<Contact>, differences: Partial<Submission> = {}) =>
    capture('ada', { contact: { ...ada, ...contact }, ...differences })
  const leaseAll = () => store.lease({ limit: 100, leaseMs: HOUR })

  test('stores who took a spoken yes, which a form can’t claim, and no email address', async () => {
    const consentVersion = await store.saveConsentText(spokenConsentAsPresented('May we call you?'))
    const phone = { consentVersion, consentTakenBy: 'Maria Lopez' }
    const { id } = await captureAda({ email: '', dateOfBirth: '' }, phone)
    const history = [{ detail: '{"state":"accepted","certificate":"none","by":"Maria Lopez"}' }]
    expect(await store.find(id)).toMatchObject({ ...phone, email: '', dateOfBirth: '', history })
    expect((await store.presentedVersions()).consents).toEqual([harness.consentVersion])
    await store.addToDoNotCall({ contacts: [{ email: '' }, { phone: ada.phone }], by: 'test' })
    expect(await store.doNotCallList({ after: '', limit: 9 })).toHaveLength(1)
  })

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
    // Too long for an index entry.
    const campaign = { utm_source: 'tv "evening"', gclid: 'ü', utm_content: 'x'.repeat(6000) }
    const questionnaireVersion = await store.saveQuestionnaire('How old are you?')
    const sent = { page: '/advertorial', campaign, trustedForm: 'sandbox', questionnaireVersion } as const
    const { id, state } = await capture('ada', { ...sent, contact, certificate: { kind: 'present', url } })
    expect(state).toBe('accepted')
    const everything = {
      ...sent,
      repeatOf: null,
      clientAddress: '192.0.2.1',
      userAgent: 'test',
      certificate: { url, formKnown: false },
      consentVersion: harness.consentVersion,
      consentPresented: CONSENT,
      questionnairePresented: 'How old are you?',
    }
    const found = await store.find(id)
    expect(found).toMatchObject({
      ...contact,
      ...everything,
      id,
      state: 'accepted',
      heldReason: null,
      delivery: { state: 'pending', attempts: 0, finishedAt: null },
      history: [{ event: 'received', detail: '{"state":"accepted","certificate":"present"}' }],
      deliveryAttempts: [],
    })
    // A lease has everything needed to send the lead.
    expect(await harness.leaseOne()).toMatchObject({
      lead: { ...everything, contact, leadId: id, receivedAt: found?.receivedAt },
      id,
      leadId: id,
      type: 'lead.created',
      leaseToken: expect.any(String),
      attempts: 0,
    })
  })

  test('accepts one of fifty identical leads sent to three processes at once; announces the other 49 if asked to', async () => {
    const stores = [store, await harness.openAnother(), await harness.openAnother()]
    // In the first round, two of the stores haven't connected yet.
    for (const name of ['ada', 'bob', 'carl']) {
      const announceRepeat = name === 'carl'
      const leads = await Promise.all(
        Array.from({ length: 50 }, (_, index) => capture(name, { announceRepeat }, stores[index % 3] as Store)),
      )
      const accepted = leads.filter(({ state }) => state === 'accepted')
      expect(accepted).toHaveLength(1)
      const leased = await leaseAll()
      expect(leased).toHaveLength(announceRepeat ? 50 : 1)
      const repeats = leased.filter(({ lead }) => lead?.repeatOf === accepted[0]?.id)
      expect(repeats).toHaveLength(announceRepeat ? 49 : 0)
    }
  })

  test('announces a repeat in a separate delivery, unless it would be held or repeats a held lead', async () => {
    const announceRepeat = true
    const { id } = await capture('ada', { announceRepeat })
    await store.settle(delivered(await harness.leaseOne()))
    await capture('bob', { announceRepeat, ...held })
    for (const name of ['ada', 'bob']) expect((await capture(name, { announceRepeat, ...held })).state).toBe('repeat')
    expect(await leaseAll()).toEqual([])
    const again = await capture('ada', { announceRepeat })
    const announced = await harness.leaseOne()
    expect(announced).toMatchObject({ leadId: again.id, type: 'lead.repeated', lead: { repeatOf: id } })
    await store.settle(dead(announced))
    expect(await store.resend({ ids: [again.id], by: 'Maria' })).toBe(1)
    expect(await harness.leaseOne()).toMatchObject({ leadId: again.id })
  })

  test('holds suspicious leads without a delivery; a clean lead from the same person replaces them', async () => {
    const odd = await capture('ada', held)
    expect(await store.find(odd.id)).toMatchObject({
      state: 'held',
      heldReason: held.holdReason,
      questionnaireVersion: null,
      questionnairePresented: null,
      delivery: null,
      history: [{ detail: '{"state":"held","certificate":"none","heldReason":"a link in the name"}' }],
    })
    expect((await capture('ada', held)).state).toBe('repeat')
    const clean = await capture('ada')
    expect(clean.state).toBe('accepted')
    expect(await store.find(odd.id)).toMatchObject({ state: 'repeat', repeatOf: clean.id, heldReason: null })
    expect((await capture('ada', held)).state).toBe('repeat')
  })

  test('a lead from the same person is a repeat for 30 days', async () => {
    await harness.capture('ada')
    await harness.change(`UPDATE leads SET received_at = received_at - ${30 * 24 * HOUR - HOUR}`)
    expect((await harness.capture('ada')).state).toBe('repeat')
    await harness.change(`UPDATE leads SET received_at = received_at - ${HOUR}`)
    expect((await harness.capture('ada')).state).toBe('accepted')
  })

  test('a stranger who knows someone’s email and phone number can’t block their lead', async () => {
    expect((await captureAda({ firstName: 'Mallory' })).state).toBe('accepted')
    expect((await captureAda({ dateOfBirth: '1970-01-01' })).state).toBe('accepted')
    const { id, state } = await capture('ada')
    expect(state).toBe('accepted')
    const again = await captureAda({ firstName: 'ADA' })
    expect(await store.find(again.id)).toMatchObject({ state: 'repeat', repeatOf: id, delivery: null })
    expect(await store.find(id)).toMatchObject({ otherLeadsBySamePerson: [again.id] })
  })

  test('a repeat of a lead whose delivery failed permanently reopens that delivery, unless it would be held', async () => {
    const { id } = await capture('ada')
    await store.settle(dead(await harness.leaseOne()))
    expect((await capture('ada', held)).state).toBe('repeat')
    await captureAda({ firstName: 'Mallory' })
    expect(await store.find(id)).toMatchObject({ delivery: { state: 'dead' } })
    const again = await capture('ada')
    expect(again.state).toBe('repeat')
    expect(await store.find(id)).toMatchObject({ delivery: { state: 'pending', attempts: 0, finishedAt: null } })
    // The second repeat does nothing: the delivery is already open.
    await capture('ada')
    const { history = [] } = (await store.find(id)) ?? {}
    const lines = history.filter(({ event }) => event === 'put into the outbox again')
    expect(lines.map(({ detail }) => JSON.parse(detail))).toEqual([{ was: 'dead', repeatedBy: again.id }])
  })

  test('people are found by email or phone, regardless of their name', async () => {
    const first = await capture('ada')
    const second = await captureAda({ firstName: 'Bob', email: 'bob@example.org' })
    const third = await captureAda({ firstName: 'Carl', phone: '(555) 010-0198', email: 'ADA@example.org' })
    const ids = async (person: Parameters<Store['leadsOfPerson']>[0]) =>
      (await store.leadsOfPerson(person)).map(({ id }) => id).toSorted()
    expect(await ids({ email: 'ada@example.org' })).toEqual([first.id, third.id].toSorted())
    expect(await ids({ phone: '555 210 0199' })).toEqual([first.id, second.id].toSorted())
    expect(await ids({ id: first.id })).toEqual([first.id])
  })

  test('stores a lead with characters the database rejects', async () => {
    const odd = { contact: { ...ada, firstName: 'a\0b\uD800' }, userAgent: 'x\0', campaign: { utm_source: '\0\uDC00' } }
    const { id, state } = await capture('ada', odd)
    expect(state).toBe('accepted')
    expect(await store.find(id)).toMatchObject({ lastName: 'Lovelace', delivery: { state: 'pending' } })
  })

  test('refuses a lead with an unknown consent version but accepts the rest of the batch', async () => {
    const [unknown, known] = await Promise.allSettled([
      capture('eve', { consentVersion: 'f'.repeat(64) }),
      capture('ada'),
    ])
    expect(unknown.status).toBe('rejected')
    expect(known).toMatchObject({ status: 'fulfilled', value: { state: 'accepted' } })
    expect(await harness.names({})).toEqual(['ada'])
  })

  test('stores a lead with its history and delivery, or nothing at all', async () => {
    await harness.change('ALTER TABLE outbox RENAME TO missing')
    await expect(capture('ada')).rejects.toThrow()
    await harness.change('ALTER TABLE missing RENAME TO outbox')
    expect(await store.count({})).toBe(0)
  })

  test('lists the consents and questionnaires stored by any process', async () => {
    const another = await harness.openAnother()
    const version = await another.saveConsentText('other words')
    expect(await another.saveConsentText('other words')).toBe(version)
    const questionnaire = await another.saveQuestionnaire('How old are you?')
    const { consents, questionnaires } = await store.presentedVersions()
    expect(consents.toSorted()).toEqual([version, harness.consentVersion].toSorted())
    expect(questionnaires).toEqual([questionnaire])
  })
})
