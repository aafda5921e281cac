/** One lead's part of the contact record: what the person saw, answered, and agreed to, and where the lead was sent. */

import { contactFields, describeField } from '../../domain/contact/contact-fields.ts'
import { readLeadEvent } from '../../domain/events/lead-events.ts'
import { answerLabel, type ConsentText, readConsent, readQuestionnaire } from '../../domain/leads/as-presented.ts'
import type { Contact } from '../../domain/leads/lead.ts'
import type { Calendar } from '../settings/calendar.ts'
import { type Correction, submittedOf } from '../store/facts/leads/corrections.ts'
import { versionOf } from '../store/facts/leads/hashes.ts'
import type { LeadDetails } from '../store/facts/leads/lead-records.ts'

/** Times are ISO 8601 in the operator's time zone, with the UTC offset at that time. */
export interface ConsentRecord {
  readonly made: { readonly at: string; readonly by: string; readonly timeZone: string }
  readonly lead: { readonly id: string; readonly receivedAt: string; readonly page: string; readonly headline?: string }
  /** Null once erased. */
  readonly person: RecordedPerson | null
  readonly erasedAt: string | null
  readonly consent: ConsentText & {
    readonly version: string
    /** The text isn't what its version, its hash, says: someone changed it in the store. */
    readonly isChanged?: true
    /** For spoken consent: who took the call. Missing if it was given on the form. */
    readonly takenBy?: string
    /** Missing if it was English. */
    readonly language?: string
    /** If it wasn't: the English text of that day. */
    readonly english?: ConsentText
    /** Whether a review compared the two. */
    readonly isReviewedWithEnglish?: true
  }
  /** Null if unknown. */
  readonly questionnaire: {
    readonly version: string
    readonly isChanged?: true
    /** Asked on the phone: the answers are what the person said. */
    readonly spoken?: true
    readonly questions: readonly RecordedQuestion[]
  } | null
  readonly certificate: { readonly url: string; readonly formKnown: boolean; readonly mode: string | null } | null
  readonly deliveries: readonly RecordedDelivery[]
  /** Of what the person had submitted. */
  readonly corrections?: readonly RecordedCorrection[]
  /** An attempt was started, and its result was never recorded. */
  readonly mayHaveBeenSent: boolean
}

interface RecordedQuestion {
  readonly question: string
  readonly answer: string
  readonly english?: Pick<RecordedQuestion, 'question' | 'answer'>
}

export interface RecordedPerson extends Contact {
  readonly clientAddress: string
  readonly userAgent: string
}

export interface RecordedCorrection {
  readonly at: string
  readonly by: string
  /** Null once erased, like the values. */
  readonly reason: string | null
  readonly before: Readonly<Record<string, string>> | null
  readonly after: Readonly<Record<string, string>> | null
}

export interface RecordedDelivery {
  readonly at: string
  readonly durationMs: number
  readonly status: number | null
  readonly outcome: string
}

interface RecordMaking {
  readonly at: number
  readonly by: string
  readonly calendar: Calendar
  readonly headlines?: Readonly<Record<string, string>>
}

export function consentRecordOf(lead: LeadDetails, { at, by, calendar, headlines = {} }: RecordMaking): ConsentRecord {
  const headline = headlines[lead.variant]
  const erased = lead.history.find(line => readLeadEvent(line).kind === 'erased')
  return {
    made: { at: calendar.iso(at), by, timeZone: calendar.zone },
    lead: {
      id: lead.id,
      receivedAt: calendar.iso(lead.receivedAt),
      page: lead.page,
      ...(lead.variant !== '' && { headline: headline ? `${lead.variant}: “${headline}”` : lead.variant }),
    },
    person: recordedPerson(lead),
    erasedAt: erased ? calendar.iso(erased.at) : null,
    consent: {
      version: lead.consentVersion,
      ...changed(lead.consentPresented, lead.consentVersion),
      ...(lead.consentTakenBy !== null && { takenBy: lead.consentTakenBy }),
      ...readConsent(lead.consentPresented),
      ...(lead.isReviewedWithEnglish && { isReviewedWithEnglish: true as const }),
    },
    questionnaire: questionnaireOf(lead),
    certificate: lead.certificate && { ...lead.certificate, mode: lead.trustedForm },
    deliveries: lead.deliveryAttempts.map(({ at, durationMs, status, outcome }) => ({
      at: calendar.iso(at),
      durationMs,
      status,
      outcome,
    })),
    ...(lead.corrections.length > 0 && {
      corrections: lead.corrections.map(correction => recorded(correction, calendar)),
    }),
    mayHaveBeenSent: lead.sentToCrm === 'maybe',
  }
}

function recorded(correction: Correction, calendar: Calendar): RecordedCorrection {
  const { at, by, reason, before, after } = correction
  return { at: calendar.iso(at), by, reason, before, after }
}

/** As submitted: that's what the person agreed to. Corrections are listed after it. */
function recordedPerson(lead: LeadDetails): RecordedPerson | null {
  const { firstName, clientAddress, userAgent } = lead
  if (lead.state === 'erased' || firstName === null) return null
  // Leave out empty optional fields, so a record saved before a field was added still matches.
  const submitted = { ...lead, ...submittedOf(lead.corrections) }
  const fields = contactFields.filter(field => submitted[field] || describeField(field).required)
  const contact = Object.fromEntries(fields.map(field => [field, submitted[field] ?? '']))
  return { ...(contact as unknown as Contact), clientAddress: clientAddress ?? '', userAgent: userAgent ?? '' }
}

const changed = (presented: string, version: string) => versionOf(presented) !== version && { isChanged: true as const }

function questionnaireOf({
  questionnaireVersion,
  questionnairePresented,
}: LeadDetails): ConsentRecord['questionnaire'] {
  if (questionnaireVersion === null || questionnairePresented === null) return null
  const { questions, spoken, english: labelsInEnglish, ...labels } = readQuestionnaire(questionnairePresented)
  return {
    version: questionnaireVersion,
    ...changed(questionnairePresented, questionnaireVersion),
    ...(spoken && { spoken }),
    questions: questions.map(({ question, answer, english }) => ({
      question,
      answer: answerLabel(labels, answer),
      ...(english &&
        labelsInEnglish && { english: { question: english, answer: answerLabel(labelsInEnglish, answer) } }),
    })),
  }
}
