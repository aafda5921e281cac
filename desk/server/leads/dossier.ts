/** One lead as its own view shows it: contact, consent, what happened to it, and what may be done with it now. */
import { campaignKey } from '../../../domain/campaign.ts'
import { telHref } from '../../../domain/phone.ts'
import type { DeskPerson } from '../../../server/store/accounts.ts'
import type { LeadDossier } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import type { LeadAction, LeadAnswer, LeadCertificate, LeadContact } from '../../api/lead.ts'
import { leadLine } from './lead-line.ts'
import { timelineOf } from './timeline.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** For so long TrustedForm keeps a certificate that nobody retains. */
const CERTIFICATE_DAYS = 90

const NEEDS_KEY =
  'Nobody can be erased before ERASURE_KEY is set: docs/operations.md says how. Then start the desk again.'

export interface DossierRequest {
  readonly id: string
  readonly person: DeskPerson
  readonly now: number
  readonly erasureKey: string | null
}

/** Null when there is no such lead. */
export async function readDossier(reader: Store, request: DossierRequest): Promise<LeadAnswer | null> {
  const { id, person, now, erasureKey } = request
  const lead = await reader.find(id)
  if (!lead) return null
  const [notes, listed, others] = await Promise.all([
    reader.notesOf(id),
    reader.listedContacts(id),
    reader.leadsWithIds(lead.otherLeadsOfThePerson),
  ])
  const { delivery } = lead
  const doNotCall = { email: listed.includes('email'), phone: listed.includes('phone') }
  const possible = actionsOn(lead, { doNotCall, hasNotes: notes.length > 0, now })
  return {
    id: lead.id,
    receivedAt: lead.receivedAt,
    state: lead.state,
    heldReason: lead.heldReason,
    rejectedReason: lead.rejectedReason,
    repeatOf: lead.repeatOf,
    contact: contactOf(lead),
    clientAddress: lead.clientAddress,
    userAgent: lead.userAgent,
    page: lead.page,
    campaignParameters: lead.campaign,
    campaign: campaignKey(lead.campaign),
    variant: lead.variant,
    certificate: certificateOf(lead, now),
    consent: { version: lead.consentVersion, presented: lead.consentPresented },
    questionnaire:
      lead.questionnaireVersion === null || lead.questionnairePresented === null
        ? null
        : { version: lead.questionnaireVersion, presented: lead.questionnairePresented },
    delivery: delivery && {
      state: delivery.state,
      attempts: delivery.attempts,
      nextAt: delivery.state === 'pending' ? delivery.nextAt : null,
      finishedAt: delivery.finishedAt,
    },
    timeline: timelineOf(lead),
    notes,
    others: others.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(leadLine),
    doNotCall,
    actions: person.role === 'editor' ? possible.filter(action => action !== 'erase' || erasureKey !== null) : [],
    erasureNeeds: erasureKey === null ? NEEDS_KEY : null,
  }
}

/** A delivery that is due within this time is on its way already, as the store sees it. */
const ON_ITS_WAY_MS = 60_000

interface Circumstances {
  readonly doNotCall: { readonly email: boolean; readonly phone: boolean }
  readonly hasNotes: boolean
  readonly now: number
}

function actionsOn(
  { state, delivery }: LeadDossier,
  { doNotCall, hasNotes, now }: Circumstances,
): readonly LeadAction[] {
  if (state === 'erased') return []
  const actions: LeadAction[] = []
  if (state === 'held' || state === 'rejected') actions.push('release')
  if (state === 'held') actions.push('reject')
  const isOnItsWay = delivery?.state === 'pending' && delivery.nextAt <= now + ON_ITS_WAY_MS
  if (delivery && !isOnItsWay) actions.push('redeliver')
  if (!doNotCall.email || !doNotCall.phone) actions.push('suppress')
  if (doNotCall.email || doNotCall.phone) actions.push('unsuppress')
  actions.push('erase', 'add note')
  if (hasNotes) actions.push('remove note')
  return actions
}

function contactOf({ firstName, lastName, dateOfBirth, email, phone }: LeadDossier): LeadContact | null {
  if (firstName === null || lastName === null || dateOfBirth === null || email === null || phone === null) return null
  return { firstName, lastName, dateOfBirth, email, phone, tel: telHref(phone) }
}

function certificateOf({ certificate, receivedAt, trustedForm }: LeadDossier, now: number): LeadCertificate | null {
  if (!certificate) return null
  const ageDays = Math.max(0, Math.floor((now - receivedAt) / DAY_MS))
  return { ...certificate, ageDays, daysLeft: CERTIFICATE_DAYS - ageDays, sandbox: trustedForm === 'sandbox' }
}
