/** Compares a record of before with the store of now: what it says must still stand there; later events may have come. */
import { type ConsentRecord, canonicalJson } from './consent-record.ts'

export interface Comparison {
  /** What the store says otherwise. */
  readonly contradictions: readonly string[]
  /** What has come since, and contradicts nothing. */
  readonly since: readonly string[]
}

/** Both have their times in the zone of the older one. */
export function compareRecords(old: ConsentRecord, now: ConsentRecord): Comparison {
  const contradictions: string[] = []
  const since: string[] = []
  const compare = (what: string, before: unknown, today: unknown) => {
    if (canonicalJson(before) !== canonicalJson(today)) contradictions.push(what)
  }
  compare('when the lead was received, or on which page', old.lead, now.lead)
  compare('the consent as it was presented', old.consent, now.consent)
  compare('the questions as they were asked', old.questionnaire, now.questionnaire)
  compare('the certificate', old.certificate, now.certificate)
  if (old.person !== null && now.person === null) since.push('the person was erased: their data cannot be compared')
  else compare('the person, their address or their browser', old.person, now.person)
  const known = now.deliveries.slice(0, old.deliveries.length)
  compare('the deliveries', old.deliveries, known)
  const later = now.deliveries.length - old.deliveries.length
  if (later > 0) since.push(`${later} more ${later === 1 ? 'delivery was' : 'deliveries were'} tried`)
  return { contradictions, since }
}
