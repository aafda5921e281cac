/** Letters in the outbox. What they say: server/mail/letters.test.ts. */
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../domain/durations.ts'
import { contactOf, ERASURE_KEY } from '../../../../tests/support/lead-store.ts'
import { dead, delivered, held, onEachEngine, retry } from '../../../../tests/support/store-engines.ts'
import { leaseMs } from '../../facts/deliveries/messages.ts'
import type { Submission } from '../leads/capture.ts'
import type { LeasedMessage } from './lease.ts'

onEachEngine('letters', ({ store, capture, change, rows, historyOf, openAnother }) => {
  const byMail = { announce: true, writeToVisitor: true }
  /** Each has their own number, and the address of `of`. */
  let people = 0
  const submit = (name: string, more: Partial<Submission> = {}, of = name) => {
    const phone = `(555) 211-${String(++people).padStart(4, '0')}`
    return capture(name, { contact: { ...contactOf(name), email: contactOf(of).email, phone }, ...byMail, ...more })
  }
  const lease = (from = store) => from.lease({ lane: 'mail', limit: 99, leaseMs: HOUR })
  const ofTeam = (leased: readonly LeasedMessage[]) => leased.filter(({ type }) => type === 'mail.team')
  const toVisitors = (leased: readonly LeasedMessage[]) => leased.filter(({ type }) => type === 'mail.visitor')
  const waiting = () => rows(`SELECT id FROM outbox WHERE lane = 'mail'`)
  const pass = (ms: number) => change(`UPDATE clock SET latest_at = latest_at - ${ms} WHERE id = 7`)

  test('the team hears of the first lead at once, and ten minutes later of all others together', async () => {
    const { id } = await submit('ada')
    const [first] = ofTeam(await lease())
    expect(first).toMatchObject({ leadId: id, detail: { leads: 1 }, lead: { contact: { firstName: 'ada' } } })
    await Promise.all(Array.from({ length: 30 }, (_, index) => submit(`p${index}`)))
    // The first one is on its way, and may have to be sent again.
    expect(ofTeam(await lease())).toEqual([])
    if (first) await store.settle(delivered(first))
    await change(`UPDATE outbox SET next_at = 0 WHERE type = 'mail.team'`)
    expect(ofTeam(await lease())).toEqual([])
    await pass(10 * MINUTE)
    await change(`UPDATE outbox SET next_at = 0 WHERE type = 'mail.team'`)
    const another = await openAnother()
    const next = (await Promise.all([lease(), lease(another)])).flatMap(ofTeam)
    expect(next.map(({ detail }) => detail)).toEqual([{ leads: 30 }])
    expect(next[0]?.id).not.toBe(first?.id)
  })

  test('checking the clock doesn’t end the lease of a letter that’s being sent', async () => {
    await submit('ada')
    await store.rescheduleAfterClockChange()
    await store.lease({ lane: 'mail', limit: 99, leaseMs: leaseMs.mail })
    const leased = await rows(`SELECT id, next_at FROM outbox WHERE lane = 'mail' ORDER BY id`)
    await store.rescheduleAfterClockChange()
    await change(`UPDATE clock SET latest_at = latest_at + ${HOUR} WHERE id = 1`)
    expect(await store.rescheduleAfterClockChange()).toBeGreaterThan(0)
    expect(await rows(`SELECT id, next_at FROM outbox WHERE lane = 'mail' ORDER BY id`)).toEqual(leased)
  })

  test('a lead that’s stored after one that came later is counted', async () => {
    await submit('ada')
    await change(`UPDATE outbox SET created_at = created_at + ${HOUR} WHERE type = 'mail.team'`)
    const { id } = await submit('bob')
    expect(ofTeam(await lease())).toMatchObject([{ leadId: id, detail: { leads: 1 } }])
  })

  test('a retry says the same, because the first attempt may have arrived', async () => {
    await submit('ada')
    const [first] = ofTeam(await lease())
    if (first) await store.settle(retry(first, 0))
    await submit('bob')
    const [again] = ofTeam(await lease())
    expect(again).toMatchObject({ id: first?.id, detail: { leads: 1 }, attempts: 1 })
  })

  test.each<[string, Partial<Submission>]>([
    ['a lead on hold', held],
    ['someone who said yes on the phone', { announce: false, writeToVisitor: false, consentTakenBy: 'Maria' }],
  ])('%s makes no letter', async (_, more) => {
    await submit('ada', more)
    expect(await waiting()).toEqual([])
  })

  test('an approved lead’s letter goes out, but not if the consent was spoken', async () => {
    const { id } = await submit('ada', held)
    const spoken = await submit('bob', { ...held, consentTakenBy: 'Maria' })
    await store.approve({ ids: [id, spoken.id], by: 'Maria', writeToVisitors: true })
    expect((await lease()).map(({ leadId }) => leadId)).toEqual([id])
  })

  test('an address gets one letter a day, no matter who types it, even if it waits or was sent', async () => {
    const { id } = await submit('ada')
    await Promise.all(['bob', 'eve', 'joe'].map(name => submit(name, {}, 'ada')))
    const [letter, ...more] = toVisitors(await lease())
    expect([letter?.leadId, more]).toEqual([id, []])
    if (letter) await store.settle(delivered(letter))
    expect(await historyOf(id)).toContainEqual(['letter sent', {}])
    await submit('zoe', {}, 'ada')
    expect(toVisitors(await lease())).toEqual([])
    await change(`UPDATE history SET at = at - ${DAY} WHERE event = 'letter sent'`)
    await submit('kim', {}, 'ada')
    expect(toVisitors(await lease())).toHaveLength(1)
  })

  const takeBack = {
    'an erasure': (id: string) => store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' }),
    'a stop by email': () =>
      store.addToDoNotCall({ contacts: [{ email: 'ada@example.org' }], by: 'Maria', source: 'desk' }),
    'an answer that ends it': (id: string) => change(`UPDATE leads SET state = 'rejected' WHERE id = '${id}'`),
  } as const
  describe.each(Object.entries(takeBack))('%s', (_, act) => {
    test('takes back an unsent letter, also one that has to be sent again', async () => {
      const { id } = await submit('ada', { announce: false })
      await submit('bob', { announce: false })
      const [first] = (await lease()).filter(({ leadId }) => leadId === id)
      if (first) await store.settle(retry(first, 0))
      await act(id)
      expect(await lease()).toEqual([])
      expect(await rows(`SELECT lead_id FROM outbox WHERE lane = 'mail' AND lead_id = '${id}'`)).toEqual([])
    })
  })

  test('one that failed is neither a lead nor news for the CRM; someone sends it again, or dismisses it', async () => {
    const { id } = await submit('ada', { deliver: false })
    for (const letter of await lease()) await store.settle(dead(letter))
    const { events, dead: deadLeads, letters } = await store.backlog()
    expect([events, deadLeads, letters]).toMatchObject([{ pending: 0, deadStops: 0, deadCalls: 0 }, 0, { dead: 2 }])
    const failed = await store.failedLetters({ limit: 9 })
    expect(failed.map(({ type }) => type).toSorted()).toEqual(['mail.team', 'mail.visitor'])
    const ids = failed.map(letter => letter.id)
    expect(await store.resendEvents({ ids, by: 'Maria' })).toBe(2)
    for (const letter of await lease()) await store.settle(dead(letter))
    expect(await store.dismissEvents({ ids, by: 'Maria' })).toBe(2)
    expect(await waiting()).toEqual([])
    expect((await historyOf(id)).map(([event]) => event)).toEqual([
      'letter failed',
      'letter resent',
      'letter failed',
      'letter dismissed',
    ])
  })

  test('a visitor’s refused address is listed, but isn’t counted as mail that doesn’t go out', async () => {
    await submit('ada', { announce: false })
    const count = async () => (await store.backlog()).letters
    expect(await count()).toMatchObject({ pending: 1, dead: 0 })
    const [first] = await lease()
    if (first) await store.settle({ ...retry(first, 0), isAddressRefused: true })
    expect(await count()).toMatchObject({ pending: 0, dead: 0 })
    const [again] = await lease()
    if (again) await store.settle({ ...dead(again), isAddressRefused: true })
    expect(await count()).toMatchObject({ pending: 0, dead: 0, refused: 1 })
    expect(await store.failedLetters({ limit: 9 })).toMatchObject([{ type: 'mail.visitor', isAddressRefused: true }])
    // Sent again, it may fail because of our server.
    await store.resendEvents({ ids: [first?.id ?? ''], by: 'Maria' })
    const [resent] = await lease()
    if (resent) await store.settle(dead(resent))
    expect(await count()).toMatchObject({ pending: 0, dead: 1, refused: 0 })
    // The team's address is ours.
    await submit('bob', { writeToVisitor: false })
    const [team] = await lease()
    if (team) await store.settle({ ...dead(team), isAddressRefused: true })
    expect(await count()).toMatchObject({ pending: 0, dead: 2 })
  })

  test('a pause is about the webhook, so letters go out', async () => {
    await store.pauseDeliveries({ reason: '', by: 'Maria' })
    await submit('ada')
    expect(await lease()).toHaveLength(2)
    expect(await store.nextDue()).toBeNull()
    expect(await store.nextDue(['mail'])).toBeGreaterThan(0)
  })
})
