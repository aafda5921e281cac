/** What every engine of the store keeps to, with other writers at work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { certificateUrl } from '../../domain/certificate.ts'
import { contactOf, ERASURE_KEY, submissionOf } from '../../tests/faults/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import type { LeadFilter, LeadRecord } from './lead-records.ts'
import { leadPages } from './reports/lead-pages.ts'
import type { LeasedDelivery, Settlement, Store, Submission } from './store.ts'

const HOUR = 3_600_000
const CONSENT = JSON.stringify({ text: 'I agree', button: 'Call me' })

describe.each(engines)('the store on $name', engine => {
  let open: OpenEngine
  let store: Store
  let consentVersion: string

  beforeEach(async () => {
    open = await engine.open()
    store = open.store
    consentVersion = await store.rememberConsent(CONSENT)
  })
  afterEach(() => open.remove())

  const capture = (name: string, differences: Partial<Submission> = {}, into: Store = store) =>
    into.capture({ ...submissionOf(name, consentVersion), ...differences })
  /** Ids and times go by the millisecond: those of one and the same are in no order. */
  const captureInTurn = async (name: string) => {
    const { id } = await capture(name)
    await sleep(2)
    return id
  }
  const held = { holdReason: 'a link in the name' }
  const leaseOne = async (leaseMs = HOUR, from: Store = store): Promise<LeasedDelivery> => {
    const [leased] = await from.lease({ limit: 1, leaseMs })
    if (!leased) throw new Error('nothing is due')
    return leased
  }
  const settlement = ({ leadId, leaseToken }: LeasedDelivery) => ({ leadId, leaseToken, durationMs: 5, status: 500 })
  const delivered = (leased: LeasedDelivery): Settlement => ({
    ...settlement(leased),
    status: 200,
    result: 'delivered',
  })
  const dead = (leased: LeasedDelivery): Settlement => ({ ...settlement(leased), result: 'dead', reason: 'gone' })
  const retry = (leased: LeasedDelivery, retryInMs = HOUR): Settlement => ({
    ...settlement(leased),
    result: 'retry',
    reason: 'it answered 500',
    retryInMs,
  })
  const all = async (filter: LeadFilter = {}): Promise<readonly LeadRecord[]> => {
    const leads: LeadRecord[] = []
    for await (const page of leadPages(store, { filter, order: 'oldest first', limit: 100 })) leads.push(...page)
    return leads
  }
  const names = async (filter: LeadFilter) => (await all(filter)).map(({ firstName }) => firstName)

  describe('capturing', () => {
    test('keeps everything that is known of a lead, and puts it into the outbox', async () => {
      const contact = {
        firstName: 'É"\\{},\'',
        lastName: '李 𝒜',
        dateOfBirth: '1960-02-29',
        email: 'E@Example.org',
        phone: '(555) 234-5678',
      }
      const { id, state } = await capture('ada', {
        contact,
        page: '/advertorial',
        campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
        certificate: { kind: 'present', url: certificateUrl('a'.repeat(40)) },
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
        certificate: { url: certificateUrl('a'.repeat(40)), formKnown: true },
        consentVersion,
        consentPresented: CONSENT,
        delivery: { state: 'pending', attempts: 0, finishedAt: null },
        history: [{ event: 'received', detail: '{"state":"accepted","certificate":"present"}' }],
        deliveryAttempts: [],
      })
    })

    test('takes the same person for a repeat, whichever process was told of them', async () => {
      const { id } = await capture('ada')
      const again = await capture('ada', {}, await open.again())
      expect(again.state).toBe('repeat')
      expect(await store.find(again.id)).toMatchObject({ repeatOf: id, delivery: null })
      expect(await store.find(id)).toMatchObject({ otherLeadsOfThePerson: [again.id] })
    })

    test('accepts one of fifty equal leads that come at once to three processes', async () => {
      const stores = [store, await open.again(), await open.again()]
      // The first time, two of them still have to connect.
      for (const name of ['ada', 'bob', 'carl']) {
        const leads = await Promise.all(
          Array.from({ length: 50 }, (_, index) => capture(name, {}, stores[index % 3] as Store)),
        )
        expect(leads.filter(({ state }) => state === 'accepted')).toHaveLength(1)
        expect(leads.filter(({ state }) => state === 'repeat')).toHaveLength(49)
      }
      expect(await store.lease({ limit: 100, leaseMs: HOUR })).toHaveLength(3)
    })

    test('tells of a repeat on request, by a delivery of its own', async () => {
      const announceRepeat = true
      const { id } = await capture('ada', { announceRepeat })
      const first = await leaseOne()
      await store.settle(delivered(first))
      const again = await capture('ada', { announceRepeat })
      expect(again.state).toBe('repeat')
      const told = await leaseOne()
      expect(told).toMatchObject({ leadId: again.id, webhookId: `lead_${again.id}`, repeatOf: id })
      await store.settle(dead(told))
      expect(await store.redeliver({ delivery: 'dead' })).toBe(1)
      expect(await leaseOne()).toMatchObject({ leadId: again.id })
      await capture('ada')
      expect(await store.lease({ limit: 9, leaseMs: HOUR })).toEqual([])
    })

    test('tells of no repeat that looks odd, nor of one of a lead that is held', async () => {
      const announceRepeat = true
      await capture('ada', { announceRepeat })
      await capture('bob', { announceRepeat, ...held })
      await leaseOne()
      expect((await capture('ada', { announceRepeat, ...held })).state).toBe('repeat')
      expect((await capture('bob', { announceRepeat, ...held })).state).toBe('repeat')
      expect(await store.lease({ limit: 9, leaseMs: HOUR })).toEqual([])
    })

    test('tells of a repeat in the same instant, on one machine or on two', async () => {
      const stores = [store, await open.again()]
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => capture('ada', { announceRepeat: true }, stores[index % 2] as Store)),
      )
      const leased = await store.lease({ limit: 99, leaseMs: HOUR })
      expect(leased).toHaveLength(10)
      const [first] = leased.filter(({ repeatOf }) => repeatOf === null)
      expect(leased.filter(({ repeatOf }) => repeatOf === first?.leadId)).toHaveLength(9)
    })

    test('of different people at once accepts each', async () => {
      const stores = [store, await open.again()]
      const leads = await Promise.all(
        Array.from({ length: 200 }, (_, index) => capture(`person-${index}`, {}, stores[index % 2] as Store)),
      )
      expect(new Set(leads.map(({ id, state }) => `${id} ${state.replace('accepted', '')}`)).size).toBe(200)
      expect(await store.count({ state: 'accepted' })).toBe(200)
    })

    test('holds what looks odd, without a delivery; the same person without the fault takes its place', async () => {
      const odd = await capture('ada', held)
      expect(await store.find(odd.id)).toMatchObject({ state: 'held', heldReason: held.holdReason, delivery: null })
      expect((await capture('ada', held)).state).toBe('repeat')
      const clean = await capture('ada')
      expect(clean.state).toBe('accepted')
      expect(await store.find(odd.id)).toMatchObject({ state: 'repeat', repeatOf: clean.id, heldReason: null })
      expect((await capture('ada', held)).state).toBe('repeat')
    })

    test('keeps a certificate of whatever form as it came, whether it was asked for, and which questions were', async () => {
      const asked = JSON.stringify({ questions: [{ id: 'age', question: 'How old?', answer: 'yes' }] })
      const questionnaireVersion = await store.rememberQuestionnaire(asked)
      const url = 'https://cert.trustedform.com/v5/abc?x=1'
      const { id } = await capture('ada', {
        certificate: { kind: 'present', url },
        trustedForm: 'sandbox',
        questionnaireVersion,
      })
      expect(await store.find(id)).toMatchObject({
        certificate: { url, formKnown: false },
        trustedForm: 'sandbox',
        questionnaireVersion,
        questionnairePresented: asked,
      })
      expect((await leaseOne()).certificate).toEqual({ url, formKnown: false })
      const before = await capture('bob')
      expect(await store.find(before.id)).toMatchObject({ questionnaireVersion: null, questionnairePresented: null })
    })

    test('keeps a campaign that is longer than an entry of an index may be', async () => {
      const campaign = { utm_content: 'x'.repeat(6000) }
      const { id } = await capture('ada', { campaign })
      expect(await store.find(id)).toMatchObject({ campaign })
    })

    test('keeps a lead whose texts have what a database cannot take', async () => {
      const contact = { ...contactOf('ada'), firstName: 'a\0b\uD800' }
      const { id, state } = await capture('ada', { contact, userAgent: 'x\0', campaign: { utm_source: '\0\uDC00' } })
      expect(state).toBe('accepted')
      expect(await store.find(id)).toMatchObject({ lastName: 'Lovelace', delivery: { state: 'pending' } })
    })

    test('refuses a lead under a consent that nobody was shown, and takes those beside it', async () => {
      const [unknown, known] = await Promise.allSettled([
        capture('eve', { consentVersion: 'f'.repeat(64) }),
        capture('ada'),
      ])
      expect(unknown.status).toBe('rejected')
      expect(known).toMatchObject({ status: 'fulfilled', value: { state: 'accepted' } })
      expect(await names({})).toEqual(['ada'])
    })

    test('tells those who listen that a delivery came due', async () => {
      let told = 0
      const stop = store.onDue(() => told++)
      await capture('ada')
      await expect.poll(() => told).toBeGreaterThan(0)
      stop()
    })
  })

  test('knows the consents that were remembered, by whichever process', async () => {
    const another = await open.again()
    const version = await another.rememberConsent('other words')
    expect(await another.rememberConsent('other words')).toBe(version)
    expect(await Promise.all([store.hasConsent(version), store.hasConsent('f'.repeat(64))])).toEqual([true, false])
  })

  test('knows the questionnaires that were remembered, and takes no consent for one', async () => {
    const another = await open.again()
    const version = await another.rememberQuestionnaire('How old are you?')
    expect(await another.rememberQuestionnaire('How old are you?')).toBe(version)
    expect(await Promise.all([version, consentVersion].map(store.hasQuestionnaire))).toEqual([true, false])
  })

  test('shows by a write that it takes leads', async () => {
    await expect(store.probe()).resolves.toBeUndefined()
  })

  describe('delivering', () => {
    test('gives each delivery to one worker, the longest due first', async () => {
      const ids = []
      for (let index = 0; index < 30; index++) ids.push(await captureInTurn(`person-${index}`))
      const workers = [store, await open.again(), await open.again()]
      const first = await store.lease({ limit: 2, leaseMs: HOUR })
      expect(first.map(({ leadId }) => leadId)).toEqual(ids.slice(0, 2))
      const leased = await Promise.all(
        Array.from({ length: 12 }, (_, index) => (workers[index % 3] as Store).lease({ limit: 5, leaseMs: HOUR })),
      )
      const rest = leased.flat().map(({ leadId }) => leadId)
      for (;;) {
        const more = await store.lease({ limit: 5, leaseMs: HOUR })
        if (more.length === 0) break
        rest.push(...more.map(({ leadId }) => leadId))
      }
      expect(rest.toSorted()).toEqual(ids.slice(2))
    })

    test('gives all that is needed to send it', async () => {
      const questionnaireVersion = await store.rememberQuestionnaire('How old are you?')
      const { id } = await capture('ada', {
        page: '/advertorial',
        campaign: { utm_source: 'tv', gclid: 'ü' },
        certificate: { kind: 'present', url: certificateUrl('c'.repeat(40)) },
        trustedForm: 'on',
        questionnaireVersion,
      })
      expect(await leaseOne()).toEqual({
        leadId: id,
        webhookId: `lead_${id}`,
        leaseToken: expect.any(String),
        attempts: 0,
        receivedAt: (await store.find(id))?.receivedAt,
        repeatOf: null,
        contact: contactOf('ada'),
        page: '/advertorial',
        campaign: { utm_source: 'tv', gclid: 'ü' },
        clientAddress: '192.0.2.1',
        userAgent: 'test',
        certificate: { url: certificateUrl('c'.repeat(40)), formKnown: true },
        trustedForm: 'on',
        consentVersion,
        consentPresented: CONSENT,
        questionnaireVersion,
        questionnairePresented: 'How old are you?',
      })
    })

    test('comes due again when its lease ends, under another token', async () => {
      await capture('ada')
      const first = await leaseOne(1)
      await expect.poll(() => store.nextDue()).toBeLessThanOrEqual(0)
      const second = await leaseOne()
      expect(second.leadId).toBe(first.leadId)
      expect(second.leaseToken).not.toBe(first.leaseToken)
      expect(await store.settle(retry(first))).toBe(false)
      expect(await store.settle(dead(first))).toBe(false)
      expect(await store.find(first.leadId)).toMatchObject({ delivery: { state: 'pending', attempts: 0 } })
      // What has arrived has arrived, whoever brought it.
      expect(await store.settle(delivered(first))).toBe(true)
      expect(await store.settle(delivered(second))).toBe(false)
    })

    test('records each attempt', async () => {
      const { id } = await capture('ada')
      expect(await store.settle(retry(await leaseOne(), 0))).toBe(true)
      const again = await leaseOne()
      expect(again.attempts).toBe(1)
      expect(await store.settle(retry(again))).toBe(true)
      const wait = await store.nextDue()
      expect(wait).toBeGreaterThan(HOUR - 60_000)
      expect(wait).toBeLessThanOrEqual(HOUR)
      expect(await store.find(id)).toMatchObject({
        delivery: { state: 'pending', attempts: 2, finishedAt: null },
        deliveryAttempts: [
          { durationMs: 5, outcome: 'it answered 500', status: 500 },
          { durationMs: 5, outcome: 'it answered 500', status: 500 },
        ],
      })
      const { history } = (await store.find(id)) ?? { history: [] }
      expect(history.map(({ event }) => event)).toEqual(['received', 'delivery failed', 'delivery failed'])
      expect(JSON.parse(history[2]?.detail ?? '')).toEqual({
        attempt: 2,
        outcome: 'it answered 500',
        nextAt: expect.any(Number),
      })
    })

    test('ends as delivered or dead, once', async () => {
      await capture('ada')
      await capture('bob')
      const [ada, bob] = [await leaseOne(), await leaseOne()]
      expect(await Promise.all([store.settle(delivered(ada)), store.settle(dead(bob))])).toEqual([true, true])
      expect(await store.find(ada.leadId)).toMatchObject({
        delivery: { state: 'delivered', attempts: 1, finishedAt: expect.any(Number) },
        deliveryAttempts: [{ outcome: 'delivered', status: 200 }],
      })
      expect(await store.find(bob.leadId)).toMatchObject({
        delivery: { state: 'dead', finishedAt: expect.any(Number) },
      })
      expect(await store.settle(delivered(bob))).toBe(false)
      expect(await store.nextDue()).toBeNull()
      expect(await store.backlog()).toEqual({
        pending: 0,
        oldestPendingAgeMs: 0,
        dead: 1,
        held: 0,
        oldestHeldAgeMs: 0,
        aheadMs: 0,
      })
    })

    test('a first attempt that waits for longer than any lease is brought forward, a retry by its rule is not', async () => {
      await capture('ada')
      await leaseOne(100 * HOUR)
      await capture('bob')
      await store.settle(retry(await leaseOne(), HOUR))
      expect(await store.bringForward({ leaseMs: 1000 })).toBe(0)
      expect(await store.nextDue()).toBeLessThanOrEqual(1000)
      const waits = (await all()).map(({ delivery }) => (delivery?.nextAt ?? 0) - Date.now())
      expect(waits.filter(wait => wait > HOUR / 2)).toHaveLength(1)
    })

    test('what waits is brought forward by as much as the clock was set back, by one of all who notice', async () => {
      await capture('ada')
      await store.settle(retry(await leaseOne(), 5 * HOUR))
      expect(await store.bringForward({ leaseMs: 1000 })).toBe(0)
      await open.change(`UPDATE clock SET latest_at = latest_at + ${4 * HOUR}`)
      const another = await open.again()
      const setBack = await Promise.all([store, another].map(each => each.bringForward({ leaseMs: 1000 })))
      expect(setBack.filter(ms => ms > 0)).toHaveLength(1)
      const wait = await store.nextDue()
      expect(wait).toBeLessThanOrEqual(HOUR)
      expect(wait).toBeGreaterThan(HOUR / 2)
      expect(await store.bringForward({ leaseMs: 1000 })).toBe(0)
    })

    test('the backlog counts what waits and how long', async () => {
      await capture('ada')
      await capture('bob')
      await expect.poll(async () => (await store.backlog()).oldestPendingAgeMs).toBeGreaterThan(0)
      expect(await store.backlog()).toMatchObject({ pending: 2, dead: 0 })
    })

    test('the backlog counts what is held and how long, and finds what is ahead of the clock', async () => {
      await capture('ada', held)
      await expect.poll(async () => (await store.backlog()).oldestHeldAgeMs).toBeGreaterThan(0)
      expect(await store.backlog()).toMatchObject({ held: 1, pending: 0, aheadMs: 0 })
      await open.change(`UPDATE leads SET received_at = received_at + ${HOUR}`)
      const { aheadMs, oldestHeldAgeMs } = await store.backlog()
      expect([aheadMs > HOUR / 2, oldestHeldAgeMs]).toEqual([true, 0])
    })

    test('tells of the latest leads whether they had a certificate, the newest first', async () => {
      for (const [index, id] of ['a', null, 'b'].entries()) {
        await capture(
          `person-${index}`,
          id === null ? {} : { certificate: { kind: 'present', url: `https://cert.trustedform.com/${id.repeat(40)}` } },
        )
        await sleep(2)
      }
      expect(await store.latestCertificates(2)).toEqual([true, false])
    })
  })

  describe('alerts', () => {
    const waiting = (id: string, worse = false) => ({ id, code: 'held_leads_waiting', text: `${id} waits`, worse })
    const leaseAlert = () => store.leaseAlert({ leaseMs: HOUR })

    test('stand once, whoever raises them, and are told by one', async () => {
      const another = await open.again()
      await Promise.all([store.raiseAlert(waiting('one')), another.raiseAlert(waiting('two'))])
      const leased = await Promise.all([store, another, store].map(each => each.leaseAlert({ leaseMs: HOUR })))
      expect(leased.filter(Boolean)).toMatchObject([{ code: 'held_leads_waiting', source: '', endedAt: null, told: 0 }])
      expect(await store.alertsSince(0)).toHaveLength(1)
    })

    test('are told again when a lease has ended, when they got worse, when it is time, and when they are over', async () => {
      await store.raiseAlert(waiting('one'))
      expect(await store.leaseAlert({ leaseMs: 0 })).not.toBeNull()
      const second = await leaseAlert()
      expect([second?.told, await leaseAlert()]).toEqual([0, null])
      await store.alertTold({ id: 'one', leasedUntil: second?.leasedUntil ?? 0, nextInMs: 0 })
      const third = await leaseAlert()
      expect(third?.told).toBe(1)
      await store.raiseAlert({ ...waiting('x'), text: 'two wait' })
      expect(await leaseAlert()).toBeNull()
      await store.raiseAlert({ ...waiting('x', true), text: 'five wait' })
      // Told too late to say how it stands: it stays due.
      await store.alertTold({ id: 'one', leasedUntil: third?.leasedUntil ?? 0, nextInMs: HOUR })
      expect(await leaseAlert()).toMatchObject({ id: 'one', text: 'five wait' })
      await store.endAlert({ code: 'held_leads_waiting' })
      const over = await leaseAlert()
      expect(over).toMatchObject({ id: 'one', endedAt: expect.any(Number) })
      await store.alertTold({ id: 'one', leasedUntil: over?.leasedUntil ?? 0, nextInMs: null })
      expect(await leaseAlert()).toBeNull()
    })

    test('of a process are kept for the record, end with it, and are not told by others', async () => {
      const refused = {
        id: 'one',
        code: 'leads_refused',
        text: 'no room',
        source: 'web-1',
        startedAt: 1,
        endedAt: null,
      }
      await store.keepAlert(refused)
      await store.keepAlert({ ...refused, id: 'two', source: 'web-2' })
      await store.keepAlert({ ...refused, id: 'two', source: 'web-2', endedAt: Date.now() })
      expect(await leaseAlert()).toBeNull()
      await store.endAlert({ source: 'web-1' })
      expect(await leaseAlert()).toMatchObject({ id: 'one', source: 'web-1', endedAt: expect.any(Number) })
      expect(await store.alertsSince(Date.now() + HOUR)).toEqual([])
    })

    test('that ended 90 days ago are forgotten when the next one ends', async () => {
      await store.raiseAlert(waiting('one'))
      await store.endAlert({ code: 'held_leads_waiting' })
      await open.change(`UPDATE alerts SET ended_at = ended_at - ${91 * 24 * HOUR}`)
      await store.raiseAlert(waiting('two'))
      await store.endAlert({ code: 'held_leads_waiting' })
      expect((await store.alertsSince(0)).map(({ id }) => id)).toEqual(['two'])
    })
  })

  describe('the operator', () => {
    test('releases held leads, all that were named or none', async () => {
      const [ada, bob, carl] = [await capture('ada', held), await capture('bob', held), await capture('carl')]
      expect(await store.release({ ids: [ada.id, carl.id] })).toBe(0)
      expect(await store.release({ ids: [ada.id, ada.id] })).toBe(1)
      expect(await store.find(ada.id)).toMatchObject({
        state: 'accepted',
        heldReason: null,
        delivery: { state: 'pending' },
      })
      expect(await store.release('all held')).toBe(1)
      expect(await store.find(bob.id)).toMatchObject({ state: 'accepted' })
    })

    test('releases each held lead once, however many ask for it at once', async () => {
      const leads = await Promise.all(Array.from({ length: 20 }, (_, index) => capture(`person-${index}`, held)))
      const stores = [store, await open.again()]
      const counts = await Promise.all([
        ...stores.map(each => each.release('all held')),
        ...leads.slice(0, 5).map(({ id }, index) => (stores[index % 2] as Store).release({ ids: [id] })),
      ])
      expect(counts.reduce((total, count) => total + count)).toBe(20)
      expect(await store.lease({ limit: 100, leaseMs: HOUR })).toHaveLength(20)
    })

    test('has leads delivered again, with all their attempts before them, and no lease of old', async () => {
      const { id } = await capture('ada')
      const first = await leaseOne()
      expect(await store.redeliver({ id })).toBe(1)
      expect(await store.settle(retry(first))).toBe(false)
      const second = await leaseOne()
      await store.settle(dead(second))
      expect(await store.countRedeliverable({ delivery: 'dead' })).toBe(1)
      expect(await store.redeliver({ delivery: 'dead' })).toBe(1)
      expect(await store.find(id)).toMatchObject({ delivery: { state: 'pending', attempts: 0, finishedAt: null } })
      // Due already: it is on its way.
      expect(await store.redeliver({ id })).toBe(0)
    })

    test('finds leads by each of the filters', async () => {
      const campaign = { utm_source: 'tv', utm_term: 'a"b\\c%_' }
      await capture('ada', { page: '/advertorial', campaign, certificate: { kind: 'invalid' } })
      await capture('bob', held)
      await capture('Élodie', { certificate: { kind: 'present', url: 'https://cert.trustedform.com/other' } })
      await capture('dora', { certificate: { kind: 'present', url: certificateUrl('d'.repeat(40)) } })
      await capture('dora')
      const found: readonly [LeadFilter, readonly string[]][] = [
        [{ state: 'held' }, ['bob']],
        [{ state: 'repeat' }, ['dora']],
        [{ state: 'accepted', name: 'DA lovelace' }, ['ada']],
        [{ delivery: 'none' }, ['bob', 'dora']],
        [{ delivery: 'pending', page: '/advertorial' }, ['ada']],
        [{ page: '/advertorial' }, ['ada']],
        [
          {
            campaign: [
              { name: 'utm_source', value: 'tv' },
              { name: 'utm_term', value: 'a"b\\c%_' },
            ],
          },
          ['ada'],
        ],
        [{ campaign: [{ name: 'utm_source', value: 't' }] }, []],
        [{ email: 'ADA@example.org' }, ['ada']],
        [{ email: 'élodie@EXAMPLE.org' }, ['Élodie']],
        [{ phone: '555-010-0199', state: 'held' }, ['bob']],
        [{ phone: '555-010-0198' }, []],
        [{ name: 'élo' }, ['Élodie']],
        [{ certificate: 'present' }, ['Élodie', 'dora']],
        [{ certificate: 'invalid' }, ['ada']],
        [{ since: Date.now() + HOUR }, []],
        [{ until: Date.now() - HOUR }, []],
        [{ since: Date.now() - HOUR, until: Date.now() + HOUR, state: 'held' }, ['bob']],
      ]
      for (const [filter, expected] of found) {
        // Leads of the same millisecond are in no particular order.
        expect([filter, (await names(filter)).toSorted()]).toEqual([filter, expected.toSorted()])
        expect([filter, await store.count(filter)]).toEqual([filter, expected.length])
      }
    })

    test('reads leads in both orders, a page after the other', async () => {
      const ids: string[] = []
      for (let index = 0; index < 5; index++) ids.push(await captureInTurn(`person-${index}`))
      const page = async (order: 'newest first' | 'oldest first', after: string | null) =>
        (await store.page({ filter: {}, order, limit: 2, after })).map(({ id }) => id)
      expect(await page('oldest first', null)).toEqual(ids.slice(0, 2))
      expect(await page('oldest first', ids[1] as string)).toEqual(ids.slice(2, 4))
      expect(await page('newest first', ids[2] as string)).toEqual([ids[1], ids[0]])
      expect(await store.idsBeginningWith({ beginning: (ids[0] as string).slice(0, 6), limit: 3 })).toEqual(
        ids.slice(0, 3),
      )
      expect(await store.idsBeginningWith({ beginning: 'ffff', limit: 3 })).toEqual([])
    })
  })

  test('a thousand rounds of release, reject, redeliver and erase against captures and workers leave no state that is forbidden', async () => {
    const stores = [store, await open.again(), await open.again()]
    const some = (round: number) => stores[round % 3] as Store
    const ids: string[] = []
    const oncePutAside: { id: string; late: string }[] = []
    let rejected = 0
    let delivering = true
    const worker = async (from: Store) => {
      while (delivering) {
        const leased = await from.lease({ limit: 5, leaseMs: 20 })
        for (const [index, each] of leased.entries()) {
          await from.settle([delivered(each), retry(each, 0), dead(each)][index % 3] as Settlement)
        }
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    }
    const workers = stores.map(worker)
    const rounds = Array.from({ length: 1000 }, (_, round) => round)
    const one = async (round: number) => {
      const person = `person-${round % 40}`
      const target = ids[(round * 7919) % Math.max(1, ids.length)] ?? ''
      const aside = oncePutAside[(round * 7919) % Math.max(1, oncePutAside.length)]
      const turn = round % 7
      if (turn === 0) {
        const late = `late-${round % 150}`
        const { id } = await capture(late, held, some(round))
        ids.push(id)
        oncePutAside.push({ id, late })
        if (round % 2) rejected += await some(round + 1).reject({ ids: [id], reason: 'a joke' })
      } else if (turn === 1) ids.push((await capture(person, {}, some(round))).id)
      else if (turn === 2) await some(round).release(round % 2 ? 'all held' : { ids: [target] })
      else if (turn === 3) await some(round).redeliver(round % 4 ? { id: target } : { delivery: 'dead' })
      else if (turn === 4) await some(round).erase({ ids: [target], key: ERASURE_KEY })
      else if (turn === 5)
        rejected += await some(round).reject({ ids: [oncePutAside.at(-1)?.id ?? ''], reason: 'a joke' })
      else if (aside) {
        // One that was rejected is let go after all, while its person comes again.
        const again = capture(aside.late, {}, some(round + 1))
        await some(round).release({ ids: [aside.id] })
        ids.push((await again).id)
      }
    }
    // So many at a time are under way.
    for (let start = 0; start < rounds.length; start += 10) await Promise.all(rounds.slice(start, start + 10).map(one))
    delivering = false
    await Promise.all(workers)

    const leads = await all()
    expect(leads).toHaveLength(ids.length)
    const current = new Map<string, number>()
    for (const { state, delivery, email, heldReason, rejectedReason, repeatOf } of leads) {
      if (state === 'accepted') expect(delivery).not.toBeNull()
      if (state === 'held' || state === 'repeat' || state === 'rejected') expect(delivery).toBeNull()
      if (state === 'erased') expect([email, delivery?.state ?? 'delivered']).toEqual([null, 'delivered'])
      expect(heldReason !== null && !['held', 'rejected', 'erased'].includes(state)).toBe(false)
      expect(rejectedReason !== null).toBe(state === 'rejected')
      expect(repeatOf === null && state === 'repeat').toBe(false)
      if (state === 'accepted' || state === 'held')
        current.set(email as string, (current.get(email as string) ?? 0) + 1)
    }
    expect([...current.values()].filter(count => count > 1)).toEqual([])
    expect(rejected).toBeGreaterThan(10)
  }, 120_000)
})
