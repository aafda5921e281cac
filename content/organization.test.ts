import { expect, test } from 'vitest'
import { telHref } from '../domain/phone.ts'
import { organization } from './organization.ts'

test('the phone number can be dialled', () => {
  expect(telHref(organization.phone)).toMatch(/^tel:\+1\d{10}$/)
})

test('an e-mail address that is filled in can be written to', () => {
  expect(organization.email ?? 'nobody@example.org').toMatch(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)
})
