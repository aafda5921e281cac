/** Puts a month of made-up leads into a scratch store, by the store's own operations at the times at which they happened. */
import { certificateUrl } from '../../../domain/certificate.ts'
import type { Submission } from '../../../server/store/capture.ts'
import type { LeasedDelivery, Settlement } from '../../../server/store/outbox.ts'
import type { Store } from '../../../server/store/store.ts'
import { HOUR, type Month, type PlannedLead } from './plan.ts'

export interface DemoWords {
  /** As presented. */
  readonly consent: string
  readonly questionnaire: string
}

/** The store's clock. It shows each of the next times once, and then stands still. */
export interface Clock {
  at: number
  readonly next: number[]
}

export const ERASURE_KEY = 'the demo needs no secret: nobody in it exists'
const MINUTE = 60_000

/** When a failed delivery is tried again, about as server/delivery does. */
const WAITS = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

export async function fillDemo(store: Store, clock: Clock, month: Month, words: DemoWords): Promise<void> {
  const now = clock.at
  clock.at = now - 31 * 24 * HOUR
  const consentVersion = await store.rememberConsent(words.consent)
  const questionnaireVersion = await store.rememberQuestionnaire(words.questionnaire)
  const submit = (lead: PlannedLead) => {
    clock.at = lead.at
    return store.capture(submissionOf(lead, { consentVersion, questionnaireVersion }))
  }
  await store.addPageCounts({ views: month.views, questions: [] })
  const { doNotCall } = month
  await store.suppress([{ phone: doNotCall.contact.phone }, { email: doNotCall.contact.email }])
  // A few days at a time: what is written together reaches the disk together.
  const leads = [...month.leads]
  while (leads.length > 0) {
    const together = leads.splice(0, 200)
    const captured = await Promise.all(together.map(submit))
    const stored = together.map((lead, index) => ({ ...lead, id: captured[index]?.id ?? '' }))
    await deliverAll(store, clock, new Map(stored.map(lead => [lead.id, lead])), now)
    for (const lead of stored) await decide(store, clock, lead)
  }
  await submit(doNotCall)
  clock.at = now
}

type StoredLead = PlannedLead & { readonly id: string }

async function decide(store: Store, clock: Clock, { id, at, fate, holdReason }: StoredLead): Promise<void> {
  if (fate === 'rejected') {
    clock.at = at + 3 * HOUR
    await store.reject({
      ids: [id],
      reason: holdReason === 'a link in the name' ? 'spam' : 'the same hand many times',
      by: 'Maria',
    })
  }
  if (fate === 'erased') {
    clock.at = at + 50 * HOUR
    await store.erase({ ids: [id], key: ERASURE_KEY })
  }
}

function submissionOf(
  lead: PlannedLead,
  versions: Pick<Submission, 'consentVersion' | 'questionnaireVersion'>,
): Submission {
  const id = (lead.at.toString(16) + 'd3'.repeat(20)).slice(0, 40)
  return {
    ...versions,
    contact: lead.contact,
    page: lead.page,
    campaign: lead.campaign,
    variant: '',
    clientAddress: lead.clientAddress,
    userAgent: lead.userAgent,
    certificate: lead.certified ? { kind: 'present', url: certificateUrl(id) } : { kind: 'none' },
    trustedForm: 'on',
    holdReason: lead.holdReason,
    announceRepeat: false,
  }
}

/** A month: what is leased stays ours until its turn. */
const LEASE_MS = 31 * 24 * HOUR

async function deliverAll(
  store: Store,
  clock: Clock,
  leads: ReadonlyMap<string, StoredLead>,
  now: number,
): Promise<void> {
  const leased = await store.lease({ limit: leads.size, leaseMs: LEASE_MS })
  const known = leased.flatMap(delivery => {
    const lead = leads.get(delivery.leadId)
    return lead ? [{ lead, delivery }] : []
  })
  const atOnce = known.filter(({ lead }) => lead.fate === 'delivered')
  clock.next.push(...atOnce.map(({ lead }) => lead.at + 40 + durationOf(lead, 0)))
  await Promise.all(
    atOnce.map(({ lead, delivery: { leadId, leaseToken } }) =>
      store.settle({ leadId, leaseToken, durationMs: durationOf(lead, 0), result: 'delivered', status: 200 }),
    ),
  )
  for (const { lead, delivery } of known)
    if (lead.fate !== 'delivered') await attemptAll(store, clock, lead, delivery, now)
}

const durationOf = ({ at }: PlannedLead, attempt: number) => 90 + ((at + attempt * 37) % 420)

const failures: Readonly<Record<string, number>> = { 'delivered late': 2, failing: 3, dead: 9 }

/** The attempts that a fate asks for, each at its time; those that would be in the future are not made yet. */
async function attemptAll(
  store: Store,
  clock: Clock,
  lead: StoredLead,
  first: LeasedDelivery,
  now: number,
): Promise<void> {
  let leased: LeasedDelivery | undefined = first
  clock.at = lead.at + 40
  for (let attempt = 0; leased; attempt++) {
    const durationMs = durationOf(lead, attempt)
    clock.at += durationMs
    const base = { leadId: leased.leadId, leaseToken: leased.leaseToken, durationMs }
    const wait = WAITS[attempt]
    if (attempt < (failures[lead.fate] ?? 0) && wait !== undefined) {
      const reason = 'the webhook answered 503'
      await store.settle({ ...base, result: 'retry', status: 503, reason, retryInMs: wait })
      if (clock.at + wait > now) return
      clock.at += wait
      leased = (await store.lease({ limit: 1, leaseMs: LEASE_MS }))[0]
    } else {
      await store.settle(endOf(lead.fate, base))
      return
    }
  }
}

function endOf(fate: PlannedLead['fate'], base: Pick<Settlement, 'leadId' | 'leaseToken' | 'durationMs'>): Settlement {
  if (fate === 'dead') return { ...base, result: 'dead', status: 500, reason: 'the webhook answered 500' }
  if (fate === 'gone') return { ...base, result: 'dead', status: 410, reason: 'the webhook answered 410' }
  if (fate === 'failing') {
    return { ...base, result: 'retry', status: 503, reason: 'the webhook answered 503', retryInMs: 25 * MINUTE }
  }
  return { ...base, result: 'delivered', status: 200 }
}
