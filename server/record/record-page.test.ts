import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ConsentRecord, FORMAT, UNSIGNED_FORMAT } from './consent-record.ts'
import { recordPage } from './record-page.ts'

const record: ConsentRecord = {
  format: UNSIGNED_FORMAT,
  made: { at: '2030-01-31T09:00:00.000-05:00', by: 'Maria Lopez', timeZone: 'America/New_York' },
  lead: { id: '0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d', receivedAt: '2030-01-30T09:00:00.000-05:00', page: '/' },
  person: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth: '1965-12-10',
    email: 'ada@example.org',
    phone: '(555) 010-0199',
    clientAddress: '192.0.2.1',
    userAgent: 'test',
  },
  erasedAt: null,
  consent: { version: 'c', text: 'I agree', button: 'Call me' },
  questionnaire: { version: 'q', questions: [{ question: 'Are you out of work?', answer: 'Yes' }] },
  certificate: { url: 'https://cert.trustedform.com/x', formKnown: false, mode: 'sandbox' },
  deliveries: [{ at: '2030-01-30T09:00:01.000-05:00', durationMs: 5, status: null, outcome: 'failed' }],
}

const hashOf = (page: string) => createHash('sha256').update(page).digest('hex')

test('saved records render byte for byte as before; rewording them requires a new format', () => {
  expect(hashOf(recordPage(record, null))).toBe('c23bda308b4dc52bb31dea0aeda78f7b5be6707e7c52c7deb818359859863490')
  const signed = recordPage({ ...record, format: FORMAT }, { keyId: 'abcdefghijkl', mac: 'f'.repeat(64) })
  expect(hashOf(signed)).toBe('2b21e4d5673228397448b2b40ce8e264718bb281684a609b8de1bb4ac27fc185')
})
