/** A month of made-up calls by two colleagues, the same every time: made in the store as if at the planned times. */
import { randomUUID } from 'node:crypto'
import { whereabouts } from '../../../domain/calling/area-codes.ts'
import { type CallingHours, createCallingClock, DEFAULT_CALLING_HOURS } from '../../../domain/calling/hours.ts'
import { type CallOutcomeName, callOutcomeNames } from '../../../domain/calling/outcomes.ts'
import { HOUR, MINUTE } from '../../../domain/durations.ts'
import type { DeskRole } from '../../../domain/roles.ts'
import { createToken } from '../../../server/store/operations/desk/accounts.ts'
import type { Store } from '../../../server/store/store.ts'
import { SESSION_MS } from '../auth/cookie.ts'
import { createRandom, type DemoClock, type DemoLead, NEWEST, SPACING, weighted } from './month.ts'

/** Not called yet, so there's always someone to call. */
const STILL_NEW = NEWEST * SPACING
/** Left alone for a few minutes by the simulation, or the list would be empty. */
const JUST_NOW = 12 * MINUTE

/** Of a hundred calls. */
const usual: Readonly<Partial<Record<CallOutcomeName, number>>> = {
  'going ahead': 18,
  'not interested': 12,
  'call back': 10,
  'no answer': 36,
  voicemail: 17,
  'wrong number': 4,
}
const RARE = 3
const outcomes = callOutcomeNames.map(name => [name, usual[name] ?? RARE] as const)
const shares = outcomes.map(([, share]) => share)
const notes = [
  'Husband answered. Try after dinner.',
  'Has a hearing in March. Sent the checklist.',
  'Back surgery in June, not worked since.',
  'Asked for the call in writing. Emailed.',
]

/** Someone who has a passkey, and could sign in with it. */
export async function addPerson(store: Store, name: string, role: DeskRole, languages: readonly string[] = ['en']) {
  const { hash: tokenHash } = createToken()
  const { person } = await store.invite({ name, role, languages, tokenHash, ttlMs: SESSION_MS, by: 'demo' })
  const passkey = { id: randomUUID(), publicKey: 'none', counter: 0, transports: ['internal'], synced: true }
  await store.acceptInvitation({ tokenHash, passkey })
  return { id: person.id, passkeyId: passkey.id }
}

/** Adds two colleagues, signed in; one of them speaks Spanish. */
async function addColleagues(store: Store) {
  const add = async (name: string, languages: readonly string[]) => {
    const { id, passkeyId } = await addPerson(store, name, 'agent', languages)
    await store.beginSession({ tokenHash: createToken().hash, ttlMs: SESSION_MS, passkeyId, counter: 1 })
    await store.recordActivity({ personId: id, intervalMs: 0 })
    return { id, name }
  }
  return { ben: await add('Ben Carter', ['en']), dana: await add('Dana Reyes', ['en', 'es']) }
}

function createChances(seed: number) {
  const chance = createRandom(seed)
  return { chance, between: (min: number, max: number) => min + Math.floor(chance() * (max - min + 1)) }
}

/** `hours`: the demo's. The calls so far respect the default ones. */
export async function fillCalls(store: Store, clock: DemoClock, leads: readonly DemoLead[], hours: CallingHours) {
  const now = clock.at
  const { ben, dana } = await addColleagues(store)
  const { chance: random, between } = createChances(11)
  /** A seed of its own: our own calls stay much the same. */
  const calledUs = createChances(5)
  const callingClock = createCallingClock(DEFAULT_CALLING_HOURS)

  const pickOutcome = () => outcomes[weighted(shares, random())]?.[0] ?? 'no answer'

  async function callUntilDone({ id, at, phone, language }: DemoLead): Promise<void> {
    const { place } = whereabouts(phone, null)
    if (!place) return
    const person = language === 'es' || random() < 0.45 ? dana : ben
    // Dana is quicker.
    let due: number | null = at + (person === dana ? between(1, 14) : between(3, 38)) * MINUTE
    while (due !== null) {
      const start: number = (callingClock.nextOpening(place, due)?.from ?? now) + between(0, 6) * MINUTE
      if (start > now - JUST_NOW) return
      clock.at = start
      const started = await store.startCall({ leadId: id, person, hours: DEFAULT_CALLING_HOURS, overrideReason: null })
      if (started.kind === 'blocked' && started.next !== null) {
        due = started.next
        continue
      }
      if (started.kind !== 'started') return
      clock.at = start + between(1, 9) * MINUTE
      const outcome = pickOutcome()
      const callbackAt =
        outcome === 'call back'
          ? (callingClock.nextOpening(place, clock.at + between(2, 30) * HOUR)?.from ?? null)
          : null
      const note = random() < 0.12 ? (notes[between(0, notes.length - 1)] ?? null) : null
      const request = { leadId: id, person, hours: DEFAULT_CALLING_HOURS, note }
      const about = { leads: [id] }
      let saved = await store.saveCall({ ...request, outcomes: [{ outcome, callbackAt, ...about }] })
      // At that time, the number would be at its limit.
      if (saved.kind === 'callback refused')
        saved = await store.saveCall({ ...request, outcomes: [{ outcome: 'no answer', ...about }] })
      if (saved.kind !== 'saved' || saved.call.kind === null) return
      if (outcome === 'voicemail' && (await callsBack(id))) return
      // A few callbacks are late.
      due = saved.call.dueAt + (random() < 0.04 ? between(20, 50) : between(0, 10)) * MINUTE
    }
  }

  /** Some call back after a voicemail. One in three called before, from a number that no lead has. */
  async function callsBack(leadId: string): Promise<boolean> {
    const at = clock.at + calledUs.between(10, 90) * MINUTE
    if (calledUs.chance() > 0.3 || at > now - JUST_NOW) return false
    const person = calledUs.chance() < 0.5 ? dana : ben
    clock.at = at
    if (calledUs.chance() < 0.33) await store.recordUnknownCaller({ person })
    const taken = await store.takeCall({ leadId, person, hours: DEFAULT_CALLING_HOURS })
    if (taken.kind !== 'taken') return false
    clock.at = at + calledUs.between(2, 12) * MINUTE
    const outcome = calledUs.chance() < 0.6 ? 'going ahead' : 'not interested'
    const outcomes = [{ outcome, callbackAt: null, leads: [leadId] }] as const
    await store.saveCall({ leadId, person, hours: DEFAULT_CALLING_HOURS, note: null, outcomes })
    return true
  }

  const finished = leads.filter(({ at }) => at < now - STILL_NEW)
  // Someone was forgotten, someone is due now, and someone is due later. They're where that was or is within calling hours.
  const demoClock = createCallingClock(hours)
  const promised: { readonly lead: DemoLead; readonly dueAt: number }[] = []
  for (const dueAt of [now - 40 * MINUTE, now - 2 * MINUTE, now + 2 * HOUR]) {
    const isFree = (lead: DemoLead) => !promised.some(callback => callback.lead === lead)
    const isOpen = ({ phone }: DemoLead) => demoClock.at(whereabouts(phone, null).place, dueAt).allowed
    const lead = finished.findLast(candidate => isFree(candidate) && isOpen(candidate))
    if (lead) promised.push({ lead, dueAt })
  }
  for (const lead of finished) if (!promised.some(callback => callback.lead === lead)) await callUntilDone(lead)
  for (const [index, { lead, dueAt }] of promised.entries()) {
    clock.at = Math.max(lead.at, now - 3 * HOUR - index * MINUTE)
    const call = { leadId: lead.id, person: index === 1 ? ben : dana }
    await store.claimCall({ ...call, takeOver: true })
    const note = 'At the doctor’s. Asked for another time.'
    const outcomes = [{ outcome: 'call back' as const, callbackAt: dueAt, leads: [lead.id] }]
    await store.saveCall({ ...call, hours, outcomes, note })
  }
  clock.at = now
}
