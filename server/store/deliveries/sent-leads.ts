/**
 * What the visitor who sent a lead can still say about it, for half an hour: another phone number, once, and when to call. Their tab
 * has a token for that; the store has its hash.
 */
import { createHash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { CORRECTED, ON_HOLD } from '../../../domain/calling/outcomes.ts'
import { type CallPromise, newRequest, type PreferredTime } from '../../../domain/calling/story.ts'
import { DO_NOT_CALL, type HoldReason } from '../../../domain/hold-reasons.ts'
import type { Contact } from '../../../domain/lead.ts'
import { formatPhone, phoneDigits } from '../../../domain/phone.ts'
import { SENT_LEAD_MS } from '../../../domain/sent-lead.ts'
import { addEvents, openStory, storyOf } from '../calls/stories.ts'
import { contactKeys, entriesOf } from '../do-not-call/stops.ts'
import { captureIn, type Submission } from '../leads/capture.ts'
import { addHistory, isEvent } from '../leads/history.ts'
import { personKeyOf } from '../leads/repeats.ts'
import { type Dialect, type Sql, type SqlPort, StaleLocks, type Tx } from '../sql.ts'
import { mayBeSent, queueEvents, withdrawDelivery } from './messages.ts'

export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** `phone`: the number that the tab has. Someone else's token doesn't fit it. */
export interface SentLeadKey {
  readonly tokenHash: string
  readonly phone: string
  /** If the number was corrected to this one but the answer got lost, the tab still has the number before. */
  readonly newPhone?: string
}

export interface NumberCorrection extends SentLeadKey {
  readonly newPhone: string
  /** What is new about the submission. The rest is as it was. */
  readonly facts: Omit<Submission, 'contact' | 'campaign' | 'variant' | 'questionnaireVersion'>
}

/** These are about the number, and don't hold for another one. */
const aboutNumber: readonly string[] = ['phone number cannot exist', DO_NOT_CALL] satisfies readonly HoldReason[]

/** A plan reads a story's last events. A stranger must not be able to push the calls out of them. */
const MAX_TIMES_PREFERRED = 3

const BY_VISITOR = { id: '', name: 'the visitor' }

interface SentLead {
  readonly id: string
  readonly state: string
  readonly heldReason: string | null
  readonly repeatOf: string | null
  /** Of the lead that it repeats, or its own: someone at the desk may have corrected that. Null once erased. */
  readonly openPhone: string | null
  readonly contact: Contact
  readonly campaign: Readonly<Record<string, string>>
  readonly variant: string
  readonly questionnaireVersion: string | null
  readonly isCorrected: boolean
}

export function createSentLeads({ read, transact, now, dialect }: SqlPort, onDue: () => void) {
  return {
    /** The lead that a tab sent within the last half hour. Null if there's none, or if it was erased. */
    async sentLead(key: SentLeadKey) {
      const lead = await findSent(read, key, await now())
      return lead && { leadId: lead.id, contact: lead.contact, isCorrected: lead.isCorrected }
    },

    /**
     * Stores the lead again with another number, and closes the first one. Null if that's refused: the token is unknown, too old, or
     * used. A number on the do-not-call list is put on hold, as from the form, so nobody learns that it's listed, and nobody calls the
     * wrong one. The same correction again is answered as the first was.
     */
    async correctSentLead({ facts, ...key }: NumberCorrection) {
      const { newPhone } = key
      const corrected = await transact(async (sql, at) => {
        const before = await findSent(sql, key, at)
        if (!before) return null
        const contact = { ...before.contact, phone: formatPhone(newPhone) }
        const contacts = [...entriesOf(before.contact), ...entriesOf(contact), before.openPhone ?? '']
        const people = [before.contact, contact].map(personKeyOf)
        await dialect.lockKeys(sql, [...people, ...contactKeys(contacts)])
        // Read again under the locks.
        const sent = await findSent(sql, key, at)
        if (!sent) return null
        if (sent.openPhone !== before.openPhone) throw new StaleLocks()
        if (sent.isCorrected) return phoneDigits(sent.contact.phone) === phoneDigits(newPhone) ? idAndState(sent) : null
        const used = 'UPDATE sent_leads SET corrected = 1, lead_id = $2 WHERE token_hash = $1'
        const first = await lockOpenLead(sql, dialect, sent)
        const { campaign, variant, questionnaireVersion } = sent
        const kept = first?.heldReason && !aboutNumber.includes(first.heldReason) ? first.heldReason : null
        const submission = { ...facts, contact, campaign, variant, questionnaireVersion }
        const lead = await captureIn(sql, dialect, at, { ...submission, holdReason: facts.holdReason ?? kept })
        await sql(used, [key.tokenHash, lead.id])
        if (first) await closeFirst(sql, dialect, at, { first, phone: sent.openPhone ?? '', lead })
        // A repeat has its own message.
        if (sent.id !== first?.id) await replace(sql, at, sent.id, lead.id)
        return lead
      })
      if (corrected) onDue()
      return corrected
    },

    /** Moves the first call, if there is one. Without one, such as for a lead on hold, the time is only in the lead's history. */
    preferCallTime: ({ time, ...key }: SentLeadKey & { readonly time: PreferredTime }) =>
      transact(async (sql, at) => {
        const phone = phoneDigits(key.phone)
        await dialect.lockKeys(sql, contactKeys([phone]))
        const lead = await findSent(sql, key, at)
        const stored = lead && (await storyOf(sql, dialect, phone))
        const request = lead && stored?.story.requests.get(lead.repeatOf ?? lead.id)
        if (!lead || isDeepStrictEqual(request?.preferred, time)) return
        const leadId = request?.leadId ?? lead.id
        if ((await timesPreferred(sql, leadId)) >= MAX_TIMES_PREFERRED) return
        if (stored && request?.isNew) await addEvents(sql, dialect, stored, [{ kind: 'preferred', at, leadId, time }])
        await addHistory(sql, { leadId, at, event: { kind: 'time preferred', ...time } })
      }),
  }
}

async function timesPreferred(sql: Sql, leadId: string): Promise<number> {
  const rows = await sql(`SELECT 1 FROM history WHERE lead_id = $1 AND ${isEvent('time preferred')}`, [leadId])
  return rows.length
}

type SentRow = Omit<SentLead, 'contact' | 'campaign' | 'isCorrected'> &
  Readonly<Record<'contact' | 'campaign' | 'phone', string>> & { readonly corrected: number; readonly sentAt: number }

async function findSent(sql: Sql, { tokenHash, phone, newPhone }: SentLeadKey, at: number): Promise<SentLead | null> {
  const [row] = await sql<SentRow>(
    `SELECT leads.id, leads.state, held_reason AS "heldReason", repeat_of AS "repeatOf", contact, phone, campaign, variant,
       (SELECT phone FROM leads AS open WHERE open.id = COALESCE(leads.repeat_of, leads.id)) AS "openPhone",
       questionnaire_version AS "questionnaireVersion", corrected, sent_at AS "sentAt"
     FROM sent_leads JOIN leads ON leads.id = sent_leads.lead_id
     WHERE token_hash = $1 AND leads.state NOT IN ('rejected', 'erased')`,
    [tokenHash],
  )
  // A clock that was set back must not make the half hour longer.
  if (!row || Math.abs(at - row.sentAt) > SENT_LEAD_MS) return null
  const isNew = row.corrected === 1 && newPhone !== undefined && row.phone === phoneDigits(newPhone)
  if (row.phone !== phoneDigits(phone) && !isNew) return null
  const { contact, campaign, corrected, ...lead } = row
  return { ...lead, contact: JSON.parse(contact), campaign: JSON.parse(campaign), isCorrected: corrected === 1 }
}

const idAndState = ({ id, state }: SentLead) => ({ id, state })

type OpenLead = Pick<SentLead, 'id' | 'state' | 'heldReason'>

/** The accepted or held lead behind the one that was sent, which may be a repeat of it. */
async function lockOpenLead(sql: Sql, { lockLeads }: Dialect, { id, repeatOf }: SentLead): Promise<OpenLead | null> {
  const [lead] = await sql<OpenLead>(
    `SELECT id, state, held_reason AS "heldReason" FROM leads WHERE id = $1 AND state IN ('accepted', 'held') ${lockLeads}`,
    [repeatOf ?? id],
  )
  return lead ?? null
}

interface Replacement {
  readonly first: OpenLead
  readonly phone: string
  readonly lead: { readonly id: string; readonly state: string }
}

/** The first lead is a repeat of the corrected one. What we promised the person moves to the new number. */
async function closeFirst(sql: Tx, dialect: Dialect, at: number, { first, phone, lead }: Replacement): Promise<void> {
  const stored = await storyOf(sql, dialect, phone)
  const request = stored?.story.requests.get(first.id)
  if (stored && request && (request.answer === null || request.answer === ON_HOLD)) {
    const leads = [first.id]
    const answered = { kind: 'answered', at, id: randomUUID(), by: BY_VISITOR, outcome: CORRECTED, leads } as const
    await addEvents(sql, dialect, stored, [answered])
    if (request.promise) await movePromise(sql, dialect, at, lead.id, request.promise)
  }
  await sql(`UPDATE leads SET state = 'repeat', repeat_of = $2, held_reason = NULL WHERE id = $1`, [first.id, lead.id])
  await replace(sql, at, first.id, lead.id)
  await addHistory(sql, { leadId: lead.id, at, event: { kind: 'corrects the number', lead: first.id } })
}

/** The lead isn't sent anymore. If the CRM may have it, it hears of the other one. */
async function replace(sql: Tx, at: number, leadId: string, by: string): Promise<void> {
  const isSent = await mayBeSent(sql, leadId)
  const canceled = await withdrawDelivery(sql, leadId)
  const event = { kind: 'replaced', by, corrected: 'phone', cancelledDelivery: canceled ?? undefined } as const
  await addHistory(sql, { leadId, at, event })
  const correction = { by: 'visitor', fields: ['phone'], replacedBy: by }
  if (isSent) await queueEvents(sql, [{ leadId, type: 'lead.corrected', detail: correction }])
}

/**
 * The corrected lead may be a repeat of an earlier one with the other number, which keeps the promise. If that one is on hold, it's
 * called once someone approves it.
 */
async function movePromise(
  sql: Sql,
  dialect: Dialect,
  at: number,
  leadId: string,
  promise: CallPromise,
): Promise<void> {
  const [lead] = await sql<{ id: string; state: string; phone: string }>(
    'SELECT id, state, phone FROM leads WHERE id = (SELECT COALESCE(repeat_of, id) FROM leads WHERE id = $1)',
    [leadId],
  )
  if (!lead) return
  const stored = await openStory(sql, dialect, at, lead.phone)
  const known = stored.story.requests.get(lead.id) ?? newRequest(lead.id)
  // The person was promised an earlier call there.
  if (known.promise && known.promise.at <= promise.at) return
  const request = { ...known, promise, answer: lead.state === 'accepted' ? null : ON_HOLD }
  await addEvents(sql, dialect, stored, [{ kind: 'moved in', at, leadId: lead.id, by: BY_VISITOR, request }])
}
