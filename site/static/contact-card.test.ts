import { expect, test } from 'vitest'
import { contactCard } from './contact-card.ts'

test('the contact card has the organization’s name and the number it calls from', () => {
  const card = contactCard({ name: 'Harbor, Light; & Co', phone: '833-555-0142', email: 'help@harborlight.test' })
  expect(card.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:;;;;',
    'FN:Harbor\\, Light\\; & Co',
    'ORG:Harbor\\, Light\\; & Co',
    'X-ABShowAs:COMPANY',
    'TEL;TYPE=WORK,VOICE:+18335550142',
    'EMAIL:help@harborlight.test',
    'END:VCARD',
    '',
  ])
})
