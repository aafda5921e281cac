/** A lead's data for its page (contact, consent, timeline, available actions) and for the list. */
import { type CallLanguage, callLanguages } from '../../../domain/calling/list.ts'
import { campaignKey } from '../../../domain/campaigns/campaign.ts'
import { optionalFacts } from '../../../domain/contact/contact-fields.ts'
import { formatPhone, telHref } from '../../../domain/contact/phone.ts'
import { DAY } from '../../../domain/durations.ts'
import { isAttempt, readLeadEvent } from '../../../domain/events/lead-events.ts'
import { leadEventOf } from '../../../domain/events/list-changes.ts'
import { CERTIFICATE_DAYS } from '../../../domain/leads/certificate.ts'
import { isClosed } from '../../../domain/leads/hold-reasons.ts'
import { actionsFor, canChangeNote } from '../../../domain/leads/lead-actions.ts'
import { roleAllows } from '../../../domain/roles.ts'
import type { ServerCopy } from '../../../server/http/site-manifest.ts'
import type { DeskPerson } from '../../../server/store/facts/desk-people.ts'
import { listedContacts } from '../../../server/store/facts/do-not-call/stops.ts'
import type { LeadDetails, LeadRecord } from '../../../server/store/facts/leads/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import type { DoNotCallEvent } from '../../../server/store/views/contact-history.ts'

interface LeadRequest {
  readonly callList: boolean
  readonly calls: ServerCopy['calls']
  /** Whether the webhook can tell the CRM of a stop. */
  readonly sendsEvents: boolean
  readonly id: string
  readonly person: DeskPerson
  readonly now: number
}

/** Null if there is no such lead. */
export async function readLead(reader: Store, { id, person, now, callList, calls, sendsEvents }: LeadRequest) {
  const lead = await reader.find(id)
  if (!lead) return null
  const [notes, entries, listChanges, others, corrections] = await Promise.all([
    reader.notesOf(id),
    reader.doNotCallEntriesOf(id),
    reader.doNotCallEvents([id]),
    reader.leadsWithIds([...lead.otherLeadsBySamePerson, ...(lead.replacedBy === null ? [] : [lead.replacedBy])]),
    reader.correctionsOfChain(id),
  ])
  const doNotCall = listedContacts(entries, lead)
  const closed = isClosed(lead, entries.length > 0)
  const { delivery } = lead
  const spoken = spokenLanguage(lead)
  const isEditor = roleAllows(person.role, 'editor')
  const status = { state: lead.state, delivery, doNotCall, isClosed: closed, client: clientOf(lead) }
  const actions = actionsFor(status, now, person.role)
  return {
    id: lead.id,
    receivedAt: lead.receivedAt,
    state: lead.state,
    heldReason: lead.heldReason,
    rejectedReason: lead.rejectedReason,
    repeatOf: lead.repeatOf,
    replacedBy: lead.replacedBy,
    /** Null once erased. */
    contact: contactOf(lead),
    /** What was submitted, of what was corrected since. Oldest first. */
    corrections,
    /** What to read to them before they're called at another number. */
    spokenConsent: { language: spoken, text: calls[spoken].words.spokenConsent },
    /** For IT and lawyers; null for others. */
    clientAddress: isEditor ? lead.clientAddress : null,
    userAgent: isEditor ? lead.userAgent : null,
    language: lead.language,
    page: lead.page,
    /** All the campaign parameters saved from the page URL. */
    campaignParameters: lead.campaign,
    campaign: campaignKey(lead.campaign),
    variant: lead.variant,
    certificate: certificateOf(lead, now),
    /** The text and the button label, as JSON: see domain/leads/as-presented.ts. */
    consent: lead.consentPresented,
    /** For spoken consent: who took the call. */
    consentTakenBy: lead.consentTakenBy,
    /** As JSON: see domain/leads/as-presented.ts. Null if unknown. */
    questionnaire: lead.questionnairePresented,
    delivery: delivery && {
      state: delivery.state,
      attempts: delivery.attempts,
      nextAt: delivery.state === 'pending' ? delivery.nextAt : null,
    },
    sentToCrm: lead.sentToCrm,
    stopInCrm: stopInCrm(lead, sendsEvents),
    timeline: timelineOf(lead, listChanges),
    notes: notes.map(note => ({ ...note, canChange: canChangeNote(note, person) })),
    /** Oldest first. */
    others: await leadLines(
      reader,
      others.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      callList,
    ),
    doNotCall,
    /** The day on which the person became a client. */
    clientOn: lead.clientOn,
    /** What closes the lead: who added it, when, and how it came in. */
    stops: entries,
    isClosed: closed,
    /** As in a list row. */
    call: callList ? ((await reader.callsOfLeads([id])).get(id) ?? null) : null,
    actions,
  }
}

/** What a CRM that has the lead knows of the stop. */
function stopInCrm({ stopForCrm }: LeadDetails, sendsEvents: boolean): 'told' | 'being told' | 'to tell' {
  if (stopForCrm === 'told') return 'told'
  return stopForCrm === 'pending' && sendsEvents ? 'being told' : 'to tell'
}

export const clientOf = ({ wasReached, clientOn: on }: LeadDetails) => ({ wasReached, on })

/** Everything else is read in English. */
export const spokenLanguage = ({ language }: Pick<LeadRecord, 'language'>): CallLanguage =>
  callLanguages.find(each => each === language) ?? 'en'

/** One list row per lead. `callList`: whether leads are called from the desk. */
export async function leadLines(
  reader: Pick<Store, 'leadsOnDoNotCallList' | 'callsOfLeads'>,
  leads: readonly LeadRecord[],
  callList: boolean,
) {
  const ids = leads.map(({ id }) => id)
  const onList = await reader.leadsOnDoNotCallList(ids)
  const calls = callList ? await reader.callsOfLeads(ids) : null
  return leads.map(({ id, phone, campaign, delivery, ...lead }) => ({
    id,
    receivedAt: lead.receivedAt,
    state: lead.state,
    heldReason: lead.heldReason,
    replacedBy: lead.replacedBy,
    firstName: lead.firstName,
    lastName: lead.lastName,
    language: lead.language,
    page: lead.page,
    phone: phone === null ? null : formatPhone(phone),
    campaign: campaignKey(campaign),
    delivery: delivery?.state ?? null,
    deliveryError: delivery?.error ?? null,
    doNotCall: onList.has(id),
    isClosed: isClosed(lead, onList.has(id)),
    clientOn: lead.clientOn,
    /** Null if it was never on the call list, or the list is turned off. */
    call: calls?.get(id) ?? null,
  }))
}

function contactOf(lead: LeadDetails) {
  const { firstName, lastName, dateOfBirth, email, phone } = lead
  if (firstName === null || lastName === null || dateOfBirth === null || email === null || phone === null) return null
  return { firstName, lastName, dateOfBirth, email, phone, tel: telHref(phone), optional: optionalFacts(lead) }
}

function certificateOf({ certificate, receivedAt, trustedForm }: LeadDetails, now: number) {
  if (!certificate) return null
  const ageDays = Math.max(0, Math.floor((now - receivedAt) / DAY))
  return { ...certificate, ageDays, daysLeft: CERTIFICATE_DAYS - ageDays, sandbox: trustedForm === 'sandbox' }
}

const listEvents: readonly string[] = Object.values(leadEventOf)

/**
 * The history, oldest first. Each delivery event includes its attempt. Changes of the do-not-call list are the number's and the
 * email's: most come in elsewhere, from the website or for another lead.
 */
function timelineOf({ history, deliveryAttempts }: LeadDetails, listChanges: readonly DoNotCallEvent[]) {
  const attempts = [...deliveryAttempts]
  const own = history.filter(({ event }) => !listEvents.includes(event))
  const events = [
    ...own.map(({ at, ...line }) => ({ at, event: readLeadEvent(line) })),
    ...listChanges.map(({ at, event, ...change }) => ({ at, event: { ...change, kind: leadEventOf[event] } })),
  ]
  return events
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, event }) => {
      // Both lists are in order, and each attempt has one history event.
      const made = isAttempt(event) ? attempts.shift() : undefined
      return {
        at,
        event,
        attempt: made ? { durationMs: made.durationMs, status: made.status, outcome: made.outcome } : null,
      }
    })
}
