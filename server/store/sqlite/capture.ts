/** Takes a lead into the embedded store: the lead, its history line and its delivery, in one piece. */
import { certificateId } from '../../../domain/certificate.ts'
import { listedAs } from '../erasure/suppressions.ts'
import { DO_NOT_CALL, type EarlierLead, personKeyOf, REPEAT_WINDOW_MS, type Standing, standingOf } from '../repeats.ts'
import { text, textOrNull } from '../rows.ts'
import { addHistory, putIntoOutbox, reopenDelivery } from '../statements.ts'
import type { CapturedLead, Submission } from '../store.ts'
import type { Run } from './connection.ts'

export interface Arrival {
  readonly id: string
  readonly receivedAt: number
}

/** Only one process writes at a time, so of two equal submissions the second sees the first. */
export function captureLead(run: Run, arrival: Arrival, submission: Submission): CapturedLead {
  const { id, receivedAt } = arrival
  const personKey = personKeyOf(submission.contact)
  const { earlier, isSuppressed } = look(run, personKey, receivedAt, submission)
  const standing = standingOf(earlier, isSuppressed ? { ...submission, holdReason: DO_NOT_CALL } : submission)
  storeLead(run, arrival, personKey, standing, submission)
  if (standing.replaces) {
    run(`UPDATE leads SET state = 'repeat', repeat_of = $1, held_reason = NULL WHERE id = $2 AND state = 'held'`, [
      id,
      standing.replaces,
    ])
    run(...addHistory(standing.replaces, receivedAt, 'replaced', { by: id }))
  }
  if (standing.reopens && run(...reopenDelivery(standing.reopens, receivedAt)).length > 0) {
    run(...addHistory(standing.reopens, receivedAt, 'put into the outbox again', { was: 'dead', repeatedBy: id }))
  }
  if (standing.delivered) run(...putIntoOutbox(id, receivedAt))
  return { id, state: standing.state }
}

/**
 * For an earlier lead of the person and for them on the do-not-call list, in one statement. The oldest of the window: repeats
 * come after it, so that one step in the index finds it however many there are.
 */
function look(run: Run, personKey: string, receivedAt: number, { contact }: Submission) {
  const rows = run(
    `SELECT * FROM (
       SELECT id, state, (SELECT state FROM deliveries WHERE lead_id = leads.id) AS delivery FROM leads
       WHERE person_key = $1 AND received_at > $2 AND state IN ('accepted', 'held') ORDER BY received_at LIMIT 1
     ) UNION ALL SELECT NULL, 'suppressed', NULL FROM suppressions WHERE contact IN ($3, $4)`,
    [personKey, receivedAt - REPEAT_WINDOW_MS, ...listedAs(contact)],
  )
  const found = rows.find(row => row['id'] !== null)
  const earlier: EarlierLead | null = found
    ? { id: text(found, 'id'), state: text(found, 'state'), delivery: textOrNull(found, 'delivery') }
    : null
  return { earlier, isSuppressed: rows.length > (found ? 1 : 0) }
}

function storeLead(
  run: Run,
  { id, receivedAt }: Arrival,
  personKey: string,
  { state, heldReason, repeatOf }: Standing,
  submission: Submission,
): void {
  const { contact, certificate } = submission
  const knownId = certificate.kind === 'present' ? certificateId(certificate.url) : null
  run(
    `INSERT INTO leads (id, received_at, state, held_reason, repeat_of, first_name, last_name, date_of_birth, email,
       phone, person_key, client_address, user_agent, page, campaign, variant, certificate_id, certificate_other, trusted_form,
       consent_version, questionnaire_version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    [
      id,
      receivedAt,
      state,
      heldReason,
      repeatOf,
      contact.firstName,
      contact.lastName,
      contact.dateOfBirth,
      contact.email,
      contact.phone,
      personKey,
      submission.clientAddress,
      submission.userAgent,
      submission.page,
      JSON.stringify(submission.campaign),
      submission.variant,
      knownId,
      certificate.kind === 'present' && knownId === null ? certificate.url : null,
      submission.trustedForm,
      submission.consentVersion,
      submission.questionnaireVersion,
    ],
  )
  const detail = {
    state,
    certificate: certificate.kind,
    ...(heldReason && { heldReason }),
    ...(repeatOf && { repeatOf }),
  }
  run(...addHistory(id, receivedAt, 'received', detail))
}
