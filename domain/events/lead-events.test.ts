import { expect, test } from 'vitest'
import {
  describeLeadEvent,
  doneBy,
  isAboutCrm,
  type LeadEvent,
  type NewLeadEvent,
  readLeadEvent,
} from './lead-events.ts'

const period = (from: number, until: number) => `${from} to ${until}`
const told = (event: LeadEvent) => {
  const { text, note, by } = describeLeadEvent(event, period)
  return `${text}${by === null ? '' : `, by ${by}`}${note === null ? '' : ` (${note})`}`
}
const by = 'Maria Lopez'

test.each<[string, LeadEvent]>([
  ['Received', { kind: 'received', state: 'accepted', certificate: 'none' }],
  ['Received again from the same person', { kind: 'received', state: 'repeat', certificate: 'none', repeatOf: 'a' }],
  ['Called us; added, by Maria Lopez', { kind: 'received', state: 'accepted', certificate: 'none', by }],
  [
    'Answered a call we made; added, by Maria Lopez',
    { kind: 'received', state: 'accepted', certificate: 'none', by, answered: true },
  ],
  [
    'Received and put on hold (Unusual spike in leads within 10 minutes.)',
    { kind: 'received', state: 'held', certificate: 'none', heldReason: 'many from everywhere' },
  ],
  ['Call taken over from Lou Chen, by Maria Lopez', { kind: 'call taken over', by, from: 'Lou Chen' }],
  ['Callback given to Lou Chen, by Maria Lopez', { kind: 'callback given', by, to: 'Lou Chen' }],
  [
    'Dana Fox’s callback given to Lou Chen, by Maria Lopez',
    { kind: 'callback given', by, from: 'Dana Fox', to: 'Lou Chen' },
  ],
  ['State set: Florida (Central), by Maria Lopez', { kind: 'place set', by, place: 'FL Central' }],
  ['State set: from the area code, by Maria Lopez', { kind: 'place set', by, place: null }],
  ['Language set: Spanish, by Maria Lopez', { kind: 'language set', by, language: 'es' }],
  ['Became a client on Jan 31, 2030, by Maria Lopez', { kind: 'client', by, on: '2030-01-31' }],
  ['Undone: became a client on Jan 31, 2030, by CRM', { kind: 'client undone', by: 'CRM', on: '2030-01-31' }],
  ['Chose a time for the first call (1 to 2)', { kind: 'time preferred', from: 1, until: 2 }],
  ['Corrected: last name, phone number, by Maria Lopez', { kind: 'corrected', by, fields: 'lastName phone' }],
  ['Replaced by this person’s newer lead', { kind: 'replaced', by: '01a1ea74-6cc8-7000-b729-30953e91d5a7' }],
  ['Number corrected, by the visitor', { kind: 'replaced', by: '01a1ea74-6cc8-7000', corrected: 'phone' }],
  ['Resent (same person submitted again)', { kind: 'put into the outbox again', was: 'dead', repeatedBy: 'a' }],
  [
    'Phone number removed from the do-not-call list, by Maria Lopez (Reason: The person asked to be called again, Jan 31, 2030)',
    { kind: 'unsuppressed', contact: 'phone', by, askedBy: 'person', askedOn: '2030-01-31' },
  ],
  [
    'Email added to the do-not-call list, by Maria Lopez (By letter of Jan 31, 2030)',
    { kind: 'suppressed', contact: 'email', by, source: 'letter', askedOn: '2030-01-31' },
  ],
  [
    'Phone number already on the do-not-call list; asked again, by website (From the website)',
    { kind: 'confirmed do not call', contact: 'phone', by: 'website', source: 'web' },
  ],
  [
    'Phone number removed from the do-not-call list (Undo), by Maria Lopez',
    { kind: 'undid do not call', contact: 'phone', by, source: 'desk' },
  ],
  [
    'Erased, by system (Reason: past the retention period)',
    { kind: 'erased', cancelledDelivery: null, by: 'system', because: 'retention' },
  ],
  ['Gave up after the last retry (Responded with 500)', { kind: 'delivery dead', attempt: 9, outcome: 'answered 500' }],
  ['Email sent: we have the request', { kind: 'letter sent' }],
  ['Email queued again, by Maria Lopez', { kind: 'letter resent', by }],
  ['Told the CRM by hand, by Maria Lopez (Stop calling)', { kind: 'event dismissed', type: 'lead.do_not_call', by }],
])('“%s”', (expected, event) => expect(told(event)).toBe(expected))

test('a line of a newer version, or with a field of one, is shown by its stored name', () => {
  expect(told(readLeadEvent({ event: 'constructor', detail: '{"by":"Maria Lopez"}' }))).toBe(
    'Constructor, by Maria Lopez',
  )
  expect(told(readLeadEvent({ event: 'corrected', detail: '{"fields":"nickname"}' }))).toBe('Corrected: nickname')
})

test('a lead’s ID is never taken for a person’s name', () => {
  expect(doneBy({ kind: 'replaced', by: 'another lead' })).toBeNull()
})

test('an unknown kind, a missing field, an unknown field, or an old kind doesn’t compile', () => {
  const refused: readonly NewLeadEvent[] = [
    // @ts-expect-error
    { kind: 'looked at', by },
    // @ts-expect-error
    { kind: 'call taken over', by },
    // @ts-expect-error
    { kind: 'looked', by, at: 0 },
    // @ts-expect-error
    { kind: 'held', heldReason: 'many from everywhere' },
  ]
  expect(refused).toHaveLength(4)
})

test('agents who call from the desk don’t read what was sent to the CRM', () => {
  const sent = ['delivered', 'delivery failed', 'delivery dead', 'event delivered', 'put into the outbox again']
  expect(sent.filter(isAboutCrm)).toEqual(sent)
  expect(['received', 'letter sent', 'callback given', 'looked'].filter(isAboutCrm)).toEqual([])
})
