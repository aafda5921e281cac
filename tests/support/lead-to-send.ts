/** A lead as a delivery carries it, with everything in it that an encoding could spoil. */
import type { LeadToSend } from '../../server/store/outbox.ts'

export const contactToSend = {
  firstName: 'Zoë & Co',
  lastName: "O'Neil",
  dateOfBirth: '1965-12-10',
  email: 'zoe+ssdi@example.org',
  phone: '(555) 210-0199',
}
export const leadToSend: LeadToSend = {
  leadId: '0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d',
  receivedAt: Date.UTC(2026, 2, 1, 12),
  repeatOf: null,
  contact: contactToSend,
  page: '/advertorial',
  campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
  clientAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  certificate: null,
  trustedForm: 'off',
  consentVersion: 'c'.repeat(64),
  consentPresented: JSON.stringify({ text: 'I agree — “fully”.', button: 'Call me' }),
  questionnaireVersion: 'q'.repeat(64),
  questionnairePresented: JSON.stringify({
    questions: [
      { id: 'outOfWork', question: 'Are you out of work?', answer: 'yes' },
      { id: 'hasAttorney', question: 'Have you got an attorney?', answer: 'no' },
    ],
    yes: 'Yes',
    no: 'No',
  }),
}
