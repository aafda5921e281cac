/**
 * Stores submitted leads in batches, one transaction per batch: lock the people, find their earlier leads, decide in TypeScript,
 * and insert everything. The engines only run the transactions.
 */
import { campaignKey } from '../../../../domain/campaigns/campaign.ts'
import type { CameIn } from '../../../../domain/leads/came-in.ts'
import { type Certificate, certificateId } from '../../../../domain/leads/certificate.ts'
import { DO_NOT_CALL } from '../../../../domain/leads/hold-reasons.ts'
import type { Contact, TrustedFormMode } from '../../../../domain/leads/lead.ts'
import { OUR_CALL_PAGE } from '../../../../domain/leads/phone-lead.ts'
import { type Disposition, decideLead, type EarlierLead, REPEAT_WINDOW_MS } from '../../../../domain/leads/repeats.ts'
import { contactKeys, entriesOf, isUndecided } from '../../facts/do-not-call/stops.ts'
import { createLeadId } from '../../facts/leads/lead-id.ts'
import { personKeyOf } from '../../facts/leads/person-keys.ts'
import { searchText } from '../../facts/leads/search-text.ts'
import { isAccepted, isCurrent } from '../../facts/leads/states.ts'
import type { Sql, SqlPort, Tx } from '../../sql.ts'
import { StoreUnavailable } from '../../store-errors.ts'
import { addHistory, type HistoryEntry } from '../../tables/history.ts'
import { insertLeads, repeatHeldLead } from '../../tables/leads.ts'
import { queueLeads, queueTeamLetter, reopenDelivery } from '../../tables/outbox.ts'
import { addTokens } from '../../tables/sent-leads.ts'
import { addSubmissions } from '../../tables/stories.ts'
import { markUnqueued } from '../../tables/unqueued-leads.ts'
import { BY_VISITOR, enterStories } from '../calls/enter-story.ts'
import { writeToVisitors } from '../deliveries/letters.ts'
import { closeNewLeads } from '../do-not-call/closed-numbers.ts'

export interface Submission {
  readonly contact: Contact
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
  readonly variant: string
  readonly clientAddress: string
  readonly userAgent: string
  readonly certificate: Certificate
  /** Whether the submitted form requested a certificate. */
  readonly trustedForm: TrustedFormMode
  readonly consentVersion: string
  /** For spoken consent: the desk user who took the call. */
  readonly consentTakenBy?: string
  readonly questionnaireVersion: string | null
  /** Of the page, such as `es`. */
  readonly language: string
  /** Why someone should review it before it's delivered, or null. */
  readonly holdReason: string | null
  /** Whether there's a webhook: an accepted lead is queued, or marked as never queued. */
  readonly deliver: boolean
  /** There's a webhook, but it can't tell the lead's consent apart: neither queued nor marked. */
  readonly withheld?: boolean
  /** Whether a repeat of an accepted lead is delivered too. */
  readonly announceRepeat: boolean
  /** Whether the desk calls it, and not only a CRM. */
  readonly callFromDesk: boolean
  /** Whether the team reads by mail that someone asked for help. */
  readonly announce?: boolean
  /** Whether the visitor gets a letter, if the lead is accepted. */
  readonly writeToVisitor?: boolean
  /** The contacts of leads whose place it takes: see replacements.ts. It comes into the story there. */
  readonly replacing?: readonly string[]
  /** Of the token with which the visitor's tab can say more about it: see sent-leads.ts. */
  readonly tokenHash?: string
}

export interface CapturedLead {
  readonly id: string
  readonly state: 'accepted' | 'repeat' | 'held'
}

/** Large enough for a burst on every connection, small enough to commit quickly. */
const MAX_BATCH = 256

export interface CaptureOptions extends Pick<SqlPort, 'insist'> {
  readonly writers: number
  readonly now: () => number
  readonly onDue: () => void
}

interface NewLead extends Submission {
  readonly id: string
  readonly receivedAt: number
  readonly personKey: string
}

type DecidedLead = NewLead & Disposition

interface Waiting extends PromiseWithResolvers<CapturedLead> {
  readonly lead: NewLead
}

export function createCaptures(options: CaptureOptions) {
  const { writers, now, onDue, insist } = options
  const waiting: Waiting[] = []
  const runs = new Set<Promise<void>>()
  let running = 0
  let writing = 0

  async function run(): Promise<void> {
    // Leads that arrive in the same turn of the event loop share a batch.
    await new Promise(resolve => setImmediate(resolve))
    while (waiting.length > 0) {
      // Leave a share for the other idle writers.
      const share = Math.ceil(waiting.length / (writers - writing))
      writing++
      await write(waiting.splice(0, Math.min(share, MAX_BATCH)))
      writing--
    }
    // In the same turn as the last queue check, so leads that arrive from now on start another run.
    running--
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    const leads = batch.map(({ lead }) => lead)
    try {
      const captured = await insist((tx, attempt) => captureBatch(tx, leads, attempt > 1))
      // A repeat may have its own delivery or reopen an earlier one.
      if (captured.some(({ state }) => state !== 'held')) onDue()
      batch.forEach(({ resolve }, index) => void resolve(captured[index] as CapturedLead))
    } catch (error) {
      // If the database rejects one lead, store the others anyway. An outage fails them all.
      if (batch.length > 1 && !(error instanceof StoreUnavailable)) for (const each of batch) await write([each])
      else for (const { reject } of batch) reject(error)
    }
  }

  return {
    /** Resolves once the lead, its history entry, and its delivery are on disk: all three or none. */
    capture(submitted: Submission): Promise<CapturedLead> {
      const captured = Promise.withResolvers<CapturedLead>()
      waiting.push({ lead: newLead(submitted, now()), ...captured })
      if (running < writers) {
        running++
        const started = run().finally(() => runs.delete(started))
        runs.add(started)
      }
      return captured.promise
    },
    async idle() {
      while (runs.size > 0) await Promise.all(runs)
    },
  }
}

function newLead(submitted: Submission, receivedAt: number): NewLead {
  const submission = storable(submitted)
  return { ...submission, id: createLeadId(receivedAt), receivedAt, personKey: personKeyOf(submission.contact) }
}

/** Within the caller's transaction, which has locked the person and their contacts. */
export async function captureIn(tx: Tx, submission: Submission): Promise<CapturedLead> {
  const [captured] = await captureBatch(tx, [newLead(submission, tx.at)], false)
  return captured as CapturedLead
}

/** PostgreSQL rejects NUL and lone surrogates. A lead that contains one still comes from a person, so replace the character. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD') as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(storable) as T
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storable(name), storable(part)])) as T
}

/** `mayBeStored`: an earlier attempt may have been committed, so look up the IDs first; otherwise, a lead would be its own repeat. */
async function captureBatch(tx: Tx, batch: readonly NewLead[], mayBeStored: boolean): Promise<readonly CapturedLead[]> {
  // A separate statement, because the next one must see changes committed while we waited for the locks.
  const contacts = batch.flatMap(({ contact }) => contactKeys(entriesOf(contact)))
  await tx.dialect.lockKeys(tx, [...batch.map(({ personKey }) => personKey), ...contacts])
  const known = mayBeStored ? await findStored(tx, batch) : new Map<string, CapturedLead>()
  const fresh = batch.filter(({ id }) => !known.has(id))
  if (fresh.length > 0) {
    const earlier = await findEarlier(tx, fresh)
    const onList = await closeNewLeads(tx, fresh.map(contactsOf))
    const decided = fresh.map(lead => {
      const { id, personKey } = lead
      const holdReason = onList.has(id) ? DO_NOT_CALL : lead.holdReason
      const disposition = decideLead(earlier.get(personKey) ?? null, { ...lead, holdReason })
      // A later lead in the batch may be from the same person.
      if (disposition.state !== 'repeat') earlier.set(personKey, { id, state: disposition.state, delivery: null })
      return { ...lead, ...disposition }
    })
    await saveLeads(tx, decided)
    for (const { id, state } of decided) known.set(id, { id, state })
  }
  return batch.map(({ id }) => known.get(id) as CapturedLead)
}

const contactsOf = ({ id, contact, replacing = [] }: NewLead) => ({ ...contact, id, replacing })

async function findStored(sql: Sql, batch: readonly NewLead[]): Promise<Map<string, CapturedLead>> {
  const rows = await sql<CapturedLead>(`SELECT id, state FROM leads WHERE id = ANY($1)`, [batch.map(({ id }) => id)])
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Each person's oldest accepted or held lead within the window. One that a request not to be called has closed isn't waiting for
 * review, so the person's next lead is. Locked, because an operator may be approving it right now.
 */
async function findEarlier(sql: Sql, batch: readonly NewLead[]): Promise<Map<string, EarlierLead>> {
  const since = Math.min(...batch.map(({ receivedAt }) => receivedAt)) - REPEAT_WINDOW_MS
  const people = batch.map(({ personKey }) => personKey)
  const rows = await sql<EarlierLead & { key: string }>(
    `SELECT leads.person_key AS key, leads.id, leads.state, outbox.state AS delivery
     FROM leads LEFT JOIN outbox ON outbox.id = leads.id
     WHERE leads.person_key = ANY($1) AND ${isCurrent} AND leads.received_at > $2
       AND (${isAccepted} OR ${isUndecided})
     ORDER BY leads.received_at ${sql.dialect.lockLeads}`,
    [people, since],
  )
  const earlier = new Map<string, EarlierLead>()
  for (const { key, ...lead } of rows) if (!earlier.has(key)) earlier.set(key, lead)
  return earlier
}

async function saveLeads(tx: Tx, batch: readonly DecidedLead[]): Promise<void> {
  await insertLeads(tx, batch.map(rowOf))
  const history = batch.map(receivedEntry)
  for (const { id, receivedAt, replaces, reopens } of batch) {
    if (replaces) {
      await repeatHeldLead(tx, replaces, id)
      history.push({ leadId: replaces, at: receivedAt, event: { kind: 'replaced', by: id } })
    }
    if (reopens && (await reopenDelivery(tx, reopens, receivedAt, { state: 'dead' }))) {
      const event = { kind: 'put into the outbox again', was: 'dead', repeatedBy: id } as const
      history.push({ leadId: reopens, at: receivedAt, event })
    }
  }
  const submitted = batch.filter(({ replacing }) => !replacing).flatMap(submissionOf)
  await addSubmissions(
    tx,
    submitted.filter(({ replaces }) => replaces === null),
  )
  await enterStories(
    tx,
    submitted.filter(({ replaces }) => replaces !== null),
  )
  await addHistory(tx, ...history)
  await addTokens(tx, batch)
  const toSend = batch.filter(({ isToSend, deliver }) => isToSend && deliver)
  await queueLeads(tx, toSend)
  const accepted = batch.filter(({ state }) => state === 'accepted')
  const unqueued = accepted.filter(({ deliver, withheld }) => !deliver && !withheld)
  await markUnqueued(tx, unqueued)
  const writtenTo = accepted.filter(({ writeToVisitor }) => writeToVisitor)
  await writeToVisitors(tx, writtenTo.map(contactsOf))
  // Last, because another capture waits for the same row.
  await queueTeamLetter(
    tx,
    accepted.filter(({ announce }) => announce),
  )
}

function submissionOf({ id, state, callAgain, receivedAt: at, replaces, ...submission }: DecidedLead) {
  const leadId = state === 'accepted' ? id : callAgain
  const [, phone] = entriesOf(submission.contact)
  const { callFromDesk: desk, language } = submission
  const spoken = submission.consentTakenBy !== undefined
  return leadId === null ? [] : [{ leadId, at, phone, desk, spoken, language, replaces, by: BY_VISITOR }]
}

function rowOf({ certificate, contact, campaign, ...lead }: DecidedLead) {
  const url = certificate.kind === 'present' ? certificate.url : null
  const knownId = url === null ? null : certificateId(url)
  const [email, phone] = entriesOf(contact)
  return {
    id: lead.id,
    receivedAt: lead.receivedAt,
    state: lead.state,
    heldReason: lead.heldReason,
    heldAt: lead.state === 'held' ? lead.receivedAt : null,
    repeatOf: lead.repeatOf,
    personKey: lead.personKey,
    email,
    phone,
    clientAddress: lead.clientAddress,
    userAgent: lead.userAgent,
    page: lead.page,
    variant: lead.variant,
    trustedForm: lead.trustedForm,
    consentVersion: lead.consentVersion,
    questionnaireVersion: lead.questionnaireVersion,
    language: lead.language,
    contact: JSON.stringify(contact),
    campaign: JSON.stringify(campaign),
    campaignKey: campaignKey(campaign),
    certificateId: knownId,
    certificateOther: knownId === null ? url : null,
    consentTakenBy: lead.consentTakenBy ?? null,
    searchText: searchText(contact),
    cameIn: wayIn(lead),
  }
}

/** Of the same person's two leads, the second is the repeat, also if it takes the place of one on hold. */
function wayIn({
  replacing,
  consentTakenBy,
  repeatOf,
  replaces,
}: Omit<DecidedLead, 'certificate' | 'contact' | 'campaign'>): CameIn {
  if (replacing) return 'correction'
  if (consentTakenBy !== undefined) return 'phone'
  return (repeatOf ?? replaces) === null ? 'form' : 'repeat'
}

function receivedEntry({ id, receivedAt, state, heldReason, repeatOf, ...submission }: DecidedLead): HistoryEntry {
  const certificate = submission.certificate.kind
  const event = {
    kind: 'received',
    state,
    certificate,
    // Nobody called: an agent corrected the number.
    by: submission.replacing ? undefined : submission.consentTakenBy,
    answered: submission.page === OUR_CALL_PAGE || undefined,
    heldReason: heldReason ?? undefined,
    repeatOf: repeatOf ?? undefined,
  } as const
  return { leadId: id, at: receivedAt, event }
}
