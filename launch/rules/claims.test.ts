import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { claimFindings } from './claims.ts'

const secure = { shown: '100% Secure & HIPAA Compliant', support: 'audit of 2026-09-01' }
const found = (body: string, claims: object = { secure }, path = '/') =>
  named(claimFindings([builtPage(body, { path })], { ...claims }, ['/hipaa']))

test('a claim needs a named basis', () => {
  const body = '<p>100% Secure &amp; HIPAA Compliant</p>'
  expect(found(body)).toEqual([])
  expect(found(body, { secure: { ...secure, support: null } })).toEqual(['claim_without_basis:secure'])
  expect(found(body, { secure: { ...secure, support: ' ' } })).toEqual(['claim_without_basis:secure'])
})

test.each([
  ['<p>Your data is HIPAA-safe.</p>', 'unlisted_claim:HIPAA'],
  ['<p>We win 100 % of cases.</p>', 'unlisted_claim:100 %'],
  ['<span role="img" aria-label="4.9 out of 5 stars"></span>', 'unlisted_claim:4.9 out of 5 stars'],
  ['<p>Five-star service</p>', 'unlisted_claim:Five-star'],
  ['<p>Rated by Thousands</p>', 'unlisted_claim:Rated by'],
  ['<p>Rated #1</p>', 'unlisted_claim:Rated #1'],
])('%s is found although nobody listed it', (body, name) => {
  expect(found(body)).toEqual([name])
})

test('a listed claim does not cover more than its own words', () => {
  expect(found('<p>100% Secure &amp; HIPAA Compliant. 100% guaranteed.</p>')).toEqual(['unlisted_claim:100%'])
})

test('links to a page, and legal pages, may name HIPAA', () => {
  expect(found('<nav><a href="/hipaa">HIPAA Notice</a></nav>')).toEqual([])
  expect(found('<p>HIPAA does not apply.</p>', {}, '/hipaa')).toEqual([])
})
