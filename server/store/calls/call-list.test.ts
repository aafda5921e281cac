/** The call list on each engine: who is on it, who gets whom, what follows a call, and what nobody may do twice. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import type { CallOutcomeName } from '../../../domain/calling/outcomes.ts'
import type { DeskRole } from '../../../domain/roles.ts'
import { alwaysOpen } from '../../../tests/support/always-open.ts'
import { contactOf, ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { HOUR, held, onEachEngine } from '../../../tests/support/store-engines.ts'
import { createToken } from '../accounts.ts'
import type { Store } from '../store.ts'

vi.mock(import('../../../domain/calling/hours.ts'), async original => {
  const { alwaysOpen } = await import('../../../tests/support/always-open.ts')
  return { ...(await original()), createCallingClock: () => alwaysOpen }
})

const MINUTE = 60_000
const DAY = 24 * HOUR

onEachEngine('calls', harness => {
  const { store, change, historyOf } = harness
  let people = 0
  beforeEach(() => {
    people = 0
  })

  /** Each person has their own number in New York, unless `phone` says otherwise. */
  async function capture(name: string, phone = `(212) 555-${String(1000 + people++)}`, more: object = {}) {
    const contact = { ...contactOf(name), phone }
    const { id } = await harness.capture(name, { contact, ...more })
    // Newest first, even if two leads arrive in the same millisecond.
    await change(`UPDATE calls SET due_at = due_at - ${1000 - people} WHERE lead_id = '${id}'`)
    return id
  }

  async function caller(name: string, languages: readonly string[] = ['en'], role: DeskRole = 'caller') {
    const [invitation, session] = [createToken(), createToken()]
    const { person } = await store.invite({ name, role, tokenHash: invitation.hash, ttlMs: HOUR, by: 'root' })
    const passkey = { id: `${name} ${session.hash}`, publicKey: '', counter: 0, transports: [], synced: false }
    await store.acceptInvitation({ tokenHash: invitation.hash, passkey })
    await store.beginSession({ tokenHash: session.hash, ttlMs: HOUR, passkeyId: passkey.id, counter: 0 })
    await store.setSpokenLanguages({ personId: person.id, languages })
    return { id: person.id, name, session: session.hash, passkeyId: passkey.id }
  }
  type Person = Awaited<ReturnType<typeof caller>>

  const next = (person: Person, from: Store = store) => from.callNext({ person, hours })
  const start = (leadId: string, person: Person, overrideReason: string | null = null) =>
    store.startCall({ leadId, person, hours, overrideReason })
  const claim = (leadId: string, person: Person, takeOver = false) => store.claimCall({ leadId, person, takeOver })
  const save = (leadId: string, person: Person, outcome: CallOutcomeName, more: object = {}) =>
    store.saveCall({ leadId, person, hours, outcome, callbackAt: null, note: null, ...more })
  const list = (person: Person) => store.callList({ personId: person.id, hours, limit: 50, dayEnds: Date.now() + DAY })
  const names = async (person: Person) => (await list(person)).ready.map(({ firstName }) => firstName)
  const waiting = async (person: Person) => (await list(person)).waiting.map(({ why, count }) => [why, count])
  const state = async (leadId: string, person: Person) => store.callState({ leadId, personId: person.id, hours })
  const outcomes = async (leadId: string) => (await store.callAttempts(leadId)).map(({ outcome }) => outcome)
  const blocked = async (leadId: string) =>
    (await store.doNotCallEntriesOf(leadId)).map(({ contact }) => contact).toSorted()
  /** Moves everything about calls into the past. */
  async function wait(ms: number) {
    await change(`UPDATE call_attempts SET started_at = started_at - ${ms}, saved_at = saved_at - ${ms}`)
    await change(`UPDATE call_starts SET started_at = started_at - ${ms}`)
    await change(`UPDATE calls SET due_at = due_at - ${ms}, callback_at = callback_at - ${ms}`)
    await change(`UPDATE call_claims SET since = since - ${ms}, expires_at = expires_at - ${ms}`)
  }

  describe('the list', () => {
    test('has accepted leads, newest first, and no others', async () => {
      const maria = await caller('Maria')
      await capture('first')
      await capture('second')
      const onHold = await capture('third', undefined, held)
      const rejected = await capture('fourth', undefined, held)
      const stopped = await capture('fifth')
      const erased = await capture('sixth')
      await store.reject({ ids: [rejected], by: 'Maria', reason: 'spam' })
      await store.addToDoNotCall({ contacts: [{ email: 'fifth@example.org' }], by: 'Maria' })
      await store.erase({ ids: [erased], key: ERASURE_KEY, by: 'Maria' })
      expect(await names(maria)).toEqual(['second', 'first'])
      await store.approve({ ids: [onHold], by: 'Maria' })
      expect(await names(maria)).toEqual(['third', 'second', 'first'])
      expect(await claim(rejected, maria)).toEqual({
        kind: 'closed',
        message: 'This lead is on hold or was rejected. An editor can approve it.',
      })
      expect(await claim(stopped, maria)).toEqual({
        kind: 'closed',
        message: 'This person is on the do-not-call list.',
      })
    })

    test('leaves out people whose place isn’t known until someone sets it', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada', '(800) 555-0199')
      expect(await waiting(maria)).toEqual([['place', 1]])
      expect(await next(maria)).toBeNull()
      await store.setCallPlace({ leadId: id, value: 'HI Hawaii', by: 'Maria' })
      expect(await next(maria)).toBe(id)
      expect(await historyOf(id)).toContainEqual(['place set', { by: 'Maria', place: 'HI Hawaii' }])
    })

    test('drops a call that nobody made for 30 days', async () => {
      const maria = await caller('Maria')
      await capture('ada')
      await wait(30 * DAY)
      expect(await list(maria)).toMatchObject({ now: { count: 0 }, waiting: [] })
    })

    test('a repeat brings the person back to the top, but doesn’t reset the limits', async () => {
      const maria = await caller('Maria')
      const ada = await capture('ada', '(212) 555-0101')
      await capture('bob')
      await start(ada, maria)
      await save(ada, maria, 'going ahead')
      expect(await names(maria)).toEqual(['bob'])
      await capture('ada', '(212) 555-0101')
      expect(await names(maria)).toEqual(['bob'])
      expect(await waiting(maria)).toEqual([['limit', 1]])
      await wait(HOUR)
      expect(await names(maria)).toEqual(['ada', 'bob'])
    })

    test('a repeat in the same batch is one call', async () => {
      const maria = await caller('Maria')
      await Promise.all(
        [1, 2, 3].map(() => harness.capture('ada', { contact: { ...contactOf('ada'), phone: '2125550101' } })),
      )
      expect(await names(maria)).toEqual(['ada'])
    })
  })

  describe('Call next', () => {
    test('gives fifty concurrent callers over three processes fifty different people', async () => {
      const stores = [store, await harness.openAnother(), await harness.openAnother()]
      const maria = await caller('Maria')
      const bob = await caller('Bob')
      const ids = await Promise.all(Array.from({ length: 55 }, (_, index) => capture(`p${index}`)))
      const given = await Promise.all(
        Array.from({ length: 50 }, (_, index) => next(index % 2 ? maria : bob, stores[index % 3])),
      )
      expect(new Set(given).size).toBe(50)
      expect(ids).toEqual(expect.arrayContaining(given as string[]))
      expect((await list(maria)).now.count).toBe(5)
    })

    test('doesn’t give the same number to two people, even for different leads', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      await capture('ada', '(212) 555-0101')
      await capture('husband', '(212) 555-0101')
      expect(await next(maria)).not.toBeNull()
      expect(await next(bob)).toBeNull()
      expect(await waiting(bob)).toEqual([['claimed', 2]])
    })

    test('prefers a language the caller speaks, and leaves others to a colleague who’s signed in', async () => {
      const [maria, bob] = [await caller('Maria', ['en', 'es']), await caller('Bob')]
      const english = await capture('english')
      const spanish = await capture('spanish')
      await store.setLeadLanguage({ leadId: spanish, value: 'es', by: 'Maria' })
      expect(await names(bob)).toEqual(['english'])
      expect(await waiting(bob)).toEqual([['language', 1]])
      await store.endSession(maria.session)
      expect(await names(bob)).toEqual(['english', 'spanish'])
      expect(await next(bob)).toBe(english)
      expect(await next(bob)).toBe(spanish)
    })

    test('doesn’t offer a skipped call to the same person again', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      expect(await next(maria)).toBe(id)
      await store.skipCall({ leadId: id, person: maria })
      expect(await next(maria)).toBeNull()
      expect(await next(bob)).toBe(id)
      await store.skipCall({ leadId: id, person: bob })
      expect([await next(maria), await next(bob)]).toEqual([null, null])
      await change(`UPDATE calls SET skipped_until = skipped_until - ${HOUR}`)
      expect(await next(maria)).toBe(id)
      await store.skipCall({ leadId: id, person: maria })
      expect(await next(bob)).toBe(id)
    })
  })

  describe('a claim', () => {
    test('tells others who has the number; taking it over is recorded', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      expect(await next(maria)).toBe(id)
      expect(await claim(id, bob)).toMatchObject({ kind: 'claimed', claim: { name: 'Maria' } })
      expect(await start(id, bob)).toMatchObject({ kind: 'claimed', claim: { name: 'Maria' } })
      expect(await claim(id, bob, true)).toMatchObject({ kind: 'open', claim: { name: 'Bob' } })
      expect(await historyOf(id)).toEqual([['call taken over', { by: 'Bob', from: 'Maria' }]])
      expect(await store.renewClaim({ leadId: id, personId: maria.id })).toBeNull()
      expect(await save(id, maria, 'no answer')).toMatchObject({ kind: 'claimed', claim: { name: 'Bob' } })
    })

    test('is on the number, so it covers all leads that have it', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const [ada, husband] = [await capture('ada', '(212) 555-0101'), await capture('husband', '(212) 555-0101')]
      await claim(ada, maria)
      await claim(husband, maria)
      expect(await store.renewClaim({ leadId: ada, personId: maria.id })).toMatchObject({ name: 'Maria' })
      expect(await save(ada, maria, 'going ahead')).toMatchObject({ kind: 'saved' })
      expect(await claim(husband, bob)).toMatchObject({ kind: 'open' })
      await store.skipCall({ leadId: ada, person: bob })
      expect(await claim(husband, maria)).toMatchObject({ kind: 'open' })
    })

    test('lasts ten minutes unless it’s renewed', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      await claim(id, maria)
      await wait(9 * 60_000)
      expect(await store.renewClaim({ leadId: id, personId: maria.id })).toMatchObject({ name: 'Maria' })
      await wait(9 * 60_000)
      expect(await claim(id, bob)).toMatchObject({ kind: 'claimed' })
      await wait(60_000)
      expect(await claim(id, bob)).toMatchObject({ kind: 'open', claim: { name: 'Bob' } })
      expect(await historyOf(id)).toEqual([])
    })

    test('ends when its person signs out, and survives the end of one of two sessions', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      const second = createToken()
      await store.beginSession({ tokenHash: second.hash, ttlMs: HOUR, passkeyId: maria.passkeyId, counter: 0 })
      await claim(id, maria)
      await store.endSession(second.hash)
      expect(await claim(id, bob)).toMatchObject({ kind: 'claimed' })
      await store.endSession(maria.session)
      expect(await claim(id, bob)).toMatchObject({ kind: 'open' })
    })
  })

  test('a claim doesn’t outlast a clock that was set back', async () => {
    const [maria, bob] = [await caller('Maria'), await caller('Bob')]
    const id = await capture('ada')
    await claim(id, maria)
    await change(`UPDATE call_claims SET since = since + ${DAY}, expires_at = expires_at + ${DAY}`)
    expect(await state(id, bob)).toMatchObject({ claim: null })
    expect(await next(bob)).toBe(id)
  })

  test('a new invitation ends its person’s sessions and claims', async () => {
    const [maria, bob] = [await caller('Maria'), await caller('Bob')]
    const id = await capture('ada')
    await claim(id, maria)
    await caller('Maria', ['en'], 'viewer')
    expect(await claim(id, bob)).toMatchObject({ kind: 'open' })
  })

  describe('a call', () => {
    test('that has no outcome is remembered for its caller and counts for the limits', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      expect(await start(id, maria)).toMatchObject({ kind: 'started' })
      await wait(11 * 60_000)
      expect(await store.unfinishedCalls(maria.id)).toMatchObject([{ leadId: id, firstName: 'ada' }])
      expect(await store.unfinishedCalls(bob.id)).toEqual([])
      expect(await start(id, bob)).toMatchObject({ kind: 'blocked', why: 'limit' })
      // The caller can still say what happened after a colleague opened the call.
      expect(await save(id, maria, 'voicemail')).toMatchObject({ kind: 'saved' })
      expect(await store.unfinishedCalls(maria.id)).toEqual([])
      expect(await state(id, bob)).toMatchObject({ claim: { name: 'Bob' } })
    })

    test('can be dialed again within ten minutes, as long as the hours allow it', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      expect(await start(id, maria)).toMatchObject({ kind: 'started' })
      expect(await start(id, maria)).toMatchObject({ kind: 'started' })
      expect(await state(id, maria)).toMatchObject({ block: null })
      const closed = { allowed: false, why: 'too late', message: 'Too late.', next: null } as const
      const hoursEnd = vi.spyOn(alwaysOpen, 'at').mockReturnValue(closed)
      try {
        expect(await start(id, maria)).toMatchObject({ kind: 'blocked', why: 'hours' })
        expect(await state(id, maria)).toMatchObject({ block: { why: 'hours' } })
        expect(await start(id, maria, 'They asked for it')).toMatchObject({ kind: 'started' })
        expect(await start(id, maria)).toMatchObject({ kind: 'started' })
      } finally {
        hoursEnd.mockRestore()
      }
      expect(await store.callAttempts(id)).toHaveLength(2)
    })

    test('can be withdrawn if its caller dialed by mistake', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await start(id, maria)
      await store.withdrawCall({ leadId: id, person: maria })
      expect(await store.unfinishedCalls(maria.id)).toEqual([])
      expect(await outcomes(id)).toEqual(['not called'])
      expect(await start(id, maria)).toMatchObject({ kind: 'started' })
    })

    test('can be withdrawn in two tabs at once, or while it’s saved', async () => {
      const maria = await caller('Maria')
      const another = await harness.openAnother()
      const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => capture(`p${index}`)))
      for (const id of ids) {
        await start(id, maria)
        const call = { leadId: id, person: maria }
        await Promise.all([
          another.withdrawCall(call),
          store.withdrawCall(call),
          another.saveCall({ ...call, hours, outcome: 'no answer', callbackAt: null, note: null }),
        ])
        expect((await outcomes(id)).filter(outcome => outcome === 'not called').length).toBeLessThanOrEqual(1)
      }
    })

    test('is refused after three in 24 hours, over all leads with the number, unless an editor overrides it', async () => {
      const maria = await caller('Maria')
      const ids = [await capture('ada', '(212) 555-0101'), await capture('bob', '(212) 555-0101')] as const
      for (const id of [ids[0], ids[1], ids[0]]) {
        expect(await start(id, maria)).toMatchObject({ kind: 'started' })
        await save(id, maria, 'no answer')
        expect(await start(id, maria)).toMatchObject({ kind: 'blocked', why: 'limit' })
        await wait(HOUR)
      }
      const message = 'This number was called 3 times in 24 hours.'
      expect(await start(ids[1], maria)).toMatchObject({ kind: 'blocked', why: 'limit', message })
      expect(await start(ids[1], maria, 'They asked for it')).toMatchObject({ kind: 'started' })
      await save(ids[1], maria, 'going ahead')
      const [, attempt] = await store.callAttempts(ids[1])
      expect(attempt).toMatchObject({ overrideReason: 'They asked for it', by: 'Maria', place: 'NY Eastern' })
    })

    test('is tried six times, and then the person counts as not reached', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      const due: (number | null)[] = []
      for (let tries = 0; tries < 6; tries++) {
        await claim(id, maria)
        const saved = await save(id, maria, tries % 2 ? 'voicemail' : 'no answer')
        if (saved.kind !== 'saved') throw new Error(saved.kind)
        due.push(saved.call.ended === null ? Math.round((saved.call.dueAt - Date.now()) / HOUR) : null)
        await wait(9 * DAY)
      }
      expect(due.at(-1)).toBeNull()
      expect(due[0]).toBe(1)
      expect((await state(id, maria))?.call).toMatchObject({ tries: 6, ended: 'not reached' })
      expect(await next(maria)).toBeNull()
    })

    test.each(['going ahead', 'not interested'] as const)('that ends with "%s" is the last one', async outcome => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      expect(await save(id, maria, outcome)).toMatchObject({ kind: 'saved', call: { ended: outcome } })
      expect(await list(maria)).toMatchObject({ now: { count: 0 }, waiting: [] })
      expect(await state(id, maria)).toMatchObject({ claim: null, closed: null })
    })

    test('that nobody answers doesn’t bring back a person who said no', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      await save(id, maria, 'not interested')
      await claim(id, maria)
      expect(await save(id, maria, 'voicemail')).toMatchObject({ kind: 'saved', call: { ended: 'not interested' } })
      expect(await list(maria)).toMatchObject({ now: { count: 0 }, waiting: [] })
    })

    test('that’s saved twice, in two tabs or after the connection was lost, is recorded once', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await start(id, maria)
      await save(id, maria, 'no answer')
      expect(await save(id, maria, 'no answer')).toEqual({ kind: 'closed', message: 'You already saved this call.' })
      expect(await outcomes(id)).toEqual(['no answer'])
    })

    test('to a wrong number blocks the number, not the email', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      await save(id, maria, 'wrong number')
      expect(await blocked(id)).toEqual(['phone'])
    })

    test('that nobody dialed in the desk happened when it was saved, however long its page was open', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      await wait(2 * HOUR)
      await save(id, maria, 'no answer')
      const [attempt] = await store.callAttempts(id)
      expect(attempt?.startedAt).toBe(attempt?.savedAt)
      expect(await start(id, maria)).toMatchObject({ kind: 'blocked', why: 'limit' })
    })

    test('that ends with "never call again" is on the do-not-call list, and the lead isn’t delivered', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      await save(id, maria, 'never call again')
      expect(await blocked(id)).toEqual(['email', 'phone'])
      expect(await store.lease({ limit: 9, leaseMs: HOUR })).toEqual([])
      expect(await outcomes(id)).toEqual(['never call again'])
    })

    test('can end with a callback, which is its caller’s for 15 minutes and then anyone’s', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      await capture('newer')
      await claim(id, maria)
      const early = await save(id, maria, 'call back', { callbackAt: Date.now() - HOUR })
      expect(early).toMatchObject({ kind: 'callback refused', message: 'That time is in the past.' })
      expect(await save(id, maria, 'call back', { callbackAt: Date.now() + 2 * HOUR })).toMatchObject({ kind: 'saved' })
      expect(await list(maria)).toMatchObject({ callbacksToday: 1, waiting: [{ why: 'later', count: 1 }] })
      await wait(2 * HOUR)
      expect(await names(maria)).toEqual(['ada', 'newer'])
      expect(await names(bob)).toEqual(['newer'])
      expect(await waiting(bob)).toEqual([['callback', 1]])
      await wait(15 * 60_000)
      expect(await names(bob)).toEqual(['ada', 'newer'])
      expect(await state(id, bob)).toMatchObject({ callbackBy: 'Maria', call: { callback: { place: 'NY Eastern' } } })
    })

    test.each(['was removed', 'no longer calls'])('is anyone’s at once if the person who promised it %s', async why => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      await claim(id, maria)
      await save(id, maria, 'call back', { callbackAt: Date.now() + 2 * HOUR })
      await wait(2 * HOUR)
      expect(await waiting(bob)).toEqual([['callback', 1]])
      if (why === 'was removed') await store.removePerson({ name: 'Maria', by: 'root' })
      else await caller('Maria', ['en'], 'viewer')
      expect(await next(bob)).toBe(id)
    })

    test('whose outcome comes late doesn’t override a later call', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      await start(id, maria)
      await wait(2 * HOUR)
      await start(id, bob)
      await save(id, bob, 'going ahead')
      expect(await save(id, maria, 'no answer')).toMatchObject({ kind: 'saved', call: { ended: 'going ahead' } })
      expect((await state(id, maria))?.call).toMatchObject({ ended: 'going ahead' })
      expect((await outcomes(id)).toSorted()).toEqual(['going ahead', 'no answer'])
    })

    test.each(['start', 'claim'] as const)('doesn’t end a newer submission that came in after its %s', async opened => {
      const maria = await caller('Maria')
      const id = await capture('ada', '(212) 555-0101')
      await (opened === 'start' ? start(id, maria) : claim(id, maria))
      await wait(60_000)
      await capture('ada', '(212) 555-0101')
      expect(await save(id, maria, 'not interested')).toMatchObject({
        kind: 'saved',
        call: { kind: 'new', tries: 0, ended: null },
      })
      await wait(HOUR)
      expect(await names(maria)).toEqual(['ada'])
      expect(await store.callStats({ since: 0, until: Date.now() + DAY })).toMatchObject({ firstCalls: null })
    })

    test('keeps a promise that was made before a newer submission', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada', '(212) 555-0101')
      await start(id, maria)
      await wait(60_000)
      await capture('ada', '(212) 555-0101')
      const callbackAt = Date.now() + 5 * HOUR
      expect(await save(id, maria, 'call back', { callbackAt })).toMatchObject({
        call: { kind: 'new', callback: { at: callbackAt }, ended: null },
      })
    })

    test('can’t end with a callback that couldn’t be made, or that is years away', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      const callBack = (inMs: number) => save(id, maria, 'call back', { callbackAt: Date.now() + inMs })
      // Nobody dialed in the desk, but the call counts for the limits once it's saved.
      expect(await callBack(HOUR / 2)).toMatchObject({
        kind: 'callback refused',
        message: 'This number was called less than an hour ago.',
      })
      for (const far of [400 * DAY, 9e15 - Date.now()]) {
        expect(await callBack(far)).toMatchObject({
          kind: 'callback refused',
          message: 'That’s more than a year away.',
        })
      }
      expect(await callBack(HOUR + 60_000)).toMatchObject({ kind: 'saved' })
    })

    test('that ends the calling also ends a promise, even if the person submits again', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada', '(212) 555-0101')
      await claim(id, maria)
      await save(id, maria, 'call back', { callbackAt: Date.now() + 5 * HOUR })
      await claim(id, maria)
      await save(id, maria, 'going ahead')
      await capture('ada', '(212) 555-0101')
      expect((await state(id, maria))?.call).toMatchObject({ kind: 'new', callback: null, ended: null })
    })

    test('before a promised callback doesn’t cancel the promise', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      await save(id, maria, 'call back', { callbackAt: Date.now() + 5 * HOUR })
      await wait(2 * HOUR)
      await claim(id, maria)
      const saved = await save(id, maria, 'no answer')
      expect(saved).toMatchObject({ kind: 'saved', call: { kind: 'callback', ended: null } })
    })
  })

  describe('undoing', () => {
    test('restores the list, the open call, and the note', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      await start(id, maria)
      const saved = await save(id, maria, 'going ahead', { note: 'Has a lawyer in mind' })
      const attemptId = saved.kind === 'saved' ? saved.attemptId : ''
      expect(await store.notesOf(id)).toMatchObject([{ text: 'Has a lawyer in mind', by: 'Maria' }])
      expect(await store.undoCall({ attemptId, person: bob })).toBeNull()
      expect(await store.undoCall({ attemptId, person: maria })).toEqual({
        leadId: id,
        note: 'Has a lawyer in mind',
        allowed: [],
      })
      expect(await store.undoCall({ attemptId, person: maria })).toBeNull()
      expect((await outcomes(id)).toSorted()).toEqual(['going ahead', 'not recorded', 'undone'])
      expect(await store.notesOf(id)).toEqual([])
      expect(await store.unfinishedCalls(maria.id)).toMatchObject([{ leadId: id }])
      expect(await claim(id, bob)).toMatchObject({ kind: 'claimed', claim: { name: 'Maria' } })
      expect((await state(id, maria))?.call).toMatchObject({ kind: 'new', tries: 0, ended: null })
      expect(await save(id, maria, 'voicemail')).toMatchObject({ kind: 'saved', call: { kind: 'retry', tries: 1 } })
    })

    test.each(['start', 'claim'] as const)('after its %s doesn’t end a newer submission', async opened => {
      const maria = await caller('Maria')
      const id = await capture('ada', '(212) 555-0101')
      await (opened === 'start' ? start(id, maria) : claim(id, maria))
      const saved = await save(id, maria, 'no answer')
      await wait(1000)
      await capture('ada', '(212) 555-0101')
      await wait(1000)
      await store.undoCall({ attemptId: saved.kind === 'saved' ? saved.attemptId : '', person: maria })
      expect(await save(id, maria, 'not interested')).toMatchObject({ call: { kind: 'new', ended: null } })
    })

    test('of an outcome saved without dialing leaves no call behind', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      await wait(5 * MINUTE)
      const before = await state(id, maria)
      const saved = await save(id, maria, 'no answer')
      await store.undoCall({ attemptId: saved.kind === 'saved' ? saved.attemptId : '', person: maria })
      expect(await store.unfinishedCalls(maria.id)).toEqual([])
      expect((await outcomes(id)).toSorted()).toEqual(['no answer', 'undone'])
      const { claim: restored, call, startedAt, block } = (await state(id, maria)) ?? {}
      expect({ by: restored?.name, call, startedAt, block }).toEqual({
        ...{ by: 'Maria', call: before?.call, startedAt: null, block: null },
      })
      const at = await store.storeTime()
      expect(await store.callStats({ since: at - HOUR, until: at + HOUR })).toMatchObject({
        calls: 0,
        people: 0,
      })
    })

    test('"never call again" removes only the entries it added', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      await store.addToDoNotCall({ contacts: [{ email: 'ada@example.org' }], by: 'Bob', leadId: id })
      const saved = await save(id, maria, 'never call again')
      await store.undoCall({ attemptId: saved.kind === 'saved' ? saved.attemptId : '', person: maria })
      expect(await blocked(id)).toEqual(['email'])
      expect(await store.find(id)).toMatchObject({ state: 'accepted', delivery: { state: 'stopped' } })
    })

    test('"never call again" brings the lead back', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada')
      await claim(id, maria)
      const saved = await save(id, maria, 'never call again')
      await store.undoCall({ attemptId: saved.kind === 'saved' ? saved.attemptId : '', person: maria })
      expect(await blocked(id)).toEqual([])
      expect(await store.find(id)).toMatchObject({ state: 'accepted', delivery: { state: 'pending' } })
      expect((await list(maria)).mine).toMatchObject([{ firstName: 'ada', claim: { name: 'Maria' } }])
      expect(await waiting(maria)).toEqual([])
    })

    test('"never call again" keeps an entry that a colleague added again without opening the lead', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada', '(212) 555-0101')
      await claim(id, maria)
      const saved = await save(id, maria, 'never call again')
      await store.addToDoNotCall({ contacts: [{ phone: '(212) 555-0101' }], by: 'Bob' })
      await store.undoCall({ attemptId: saved.kind === 'saved' ? saved.attemptId : '', person: maria })
      expect(await blocked(id)).toEqual(['phone'])
    })

    test('a callback takes the promise back, even if the person submitted again since', async () => {
      const maria = await caller('Maria')
      const id = await capture('ada', '(212) 555-0101')
      await start(id, maria)
      const saved = await save(id, maria, 'call back', { callbackAt: Date.now() + 5 * HOUR })
      await capture('ada', '(212) 555-0101')
      await store.undoCall({ attemptId: saved.kind === 'saved' ? saved.attemptId : '', person: maria })
      expect((await state(id, maria))?.call).toMatchObject({ kind: 'new', callback: null, ended: null })
    })

    test('isn’t possible after a later call', async () => {
      const [maria, bob] = [await caller('Maria'), await caller('Bob')]
      const id = await capture('ada')
      await claim(id, maria)
      const saved = await save(id, maria, 'no answer')
      await wait(1000)
      await claim(id, bob)
      await save(id, bob, 'voicemail')
      expect(
        await store.undoCall({ attemptId: saved.kind === 'saved' ? saved.attemptId : '', person: maria }),
      ).toBeNull()
      expect(await outcomes(id)).toEqual(['no answer', 'voicemail'])
    })
  })

  test('an erasure keeps the attempts without the person', async () => {
    const maria = await caller('Maria')
    const id = await capture('ada', '(212) 555-0101')
    await store.setCallPlace({ leadId: id, value: 'HI Hawaii', by: 'Maria' })
    await start(id, maria)
    await save(id, maria, 'no answer')
    await wait(HOUR)
    await start(id, maria)
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
    expect(await outcomes(id)).toEqual(['no answer', 'not recorded'])
    expect(await store.unfinishedCalls(maria.id)).toEqual([])
    for (const table of ['call_attempts', 'call_starts', 'call_claims', 'call_places']) {
      expect(JSON.stringify(await harness.rows(`SELECT * FROM ${table}`))).not.toContain('2125550101')
    }
  })

  test('an erasure keeps what belongs to another lead with the same number', async () => {
    const [maria, bob] = [await caller('Maria'), await caller('Bob')]
    const id = await capture('ada', '(212) 555-0101')
    const other = await capture('husband', '(212) 555-0101')
    await store.setCallPlace({ leadId: id, value: 'HI Hawaii', by: 'Maria' })
    await claim(other, maria)
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
    expect(await claim(other, bob)).toMatchObject({ kind: 'claimed' })
    expect(await state(other, maria)).toMatchObject({ chosen: { place: 'HI Hawaii' } })
    await store.erase({ ids: [other], key: ERASURE_KEY, by: 'Maria' })
    for (const table of ['call_claims', 'call_places']) expect(await harness.rows(`SELECT * FROM ${table}`)).toEqual([])
  })

  test('calls have a mark of their own, so other pages don’t reload', async () => {
    const maria = await caller('Maria')
    const id = await capture('ada')
    const before = await store.pulse()
    await next(maria)
    const claimed = await store.pulse()
    expect(claimed.mark).toBe(before.mark)
    expect(claimed.calls).not.toBe(before.calls)
    await store.renewClaim({ leadId: id, personId: maria.id })
    expect(await store.pulse()).toEqual(claimed)
    await save(id, maria, 'no answer', { note: 'Busy' })
    const saved = await store.pulse()
    expect(saved.mark).toBe(before.mark)
    expect(saved.calls).not.toBe(claimed.calls)
  })
})
