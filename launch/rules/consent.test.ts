import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { consentFindings } from './consent.ts'

const whole =
  'I agree that Acme may call me. My consent is not required to obtain any good or service. I can opt out by replying STOP.'
const found = (consent: string | null) => {
  const text = consent === null ? '' : `<p data-tf-element-role="consent-language">${consent}</p>`
  return named(consentFindings([builtPage(`<form><input name="phone">${text}</form>`)], 'Acme'))
}

test('a whole consent is enough, however it is marked up', () => {
  expect(found(whole)).toEqual([])
  expect(found(whole.replace('Acme', '<span>Acme</span>'))).toEqual([])
})

test.each([
  [null, 'consent_missing:/'],
  [whole.replace('Acme', 'a partner'), 'consent_without_seller:/'],
  [whole.replace('opt out', 'say no'), 'consent_without_opt_out:/'],
  [whole.replace(' by replying STOP', ''), 'consent_without_opt_out:/'],
  [whole.replace(' My consent is not required to obtain any good or service.', ''), 'consent_without_no_purchase:/'],
])('%s', (consent, name) => {
  expect(found(consent)).toEqual([name])
})

test('a form that asks for no phone number needs no consent to calls', () => {
  expect(consentFindings([builtPage('<form><input name="email"></form>')], 'Acme')).toEqual([])
})
