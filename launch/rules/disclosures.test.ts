import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import {
  advertorialFindings,
  consentFindings,
  legalFindings,
  noticeFindings,
  organizationFindings,
  placeholderFindings,
} from './disclosures.ts'

const article = '<article><h1>Good news</h1><form></form></article>'
const label = (main: string) => named(advertorialFindings([builtPage(`<main>${main}</main>`, { path: '/story' })]))

test('an article with a form starts with its label', () => {
  expect(label(`<p><strong>Sponsored content</strong> by us</p>${article}`)).toEqual([])
  expect(label(article)).toEqual(['advertorial_label_missing:/story'])
  expect(label(`${article}<p>Sponsored content</p>`)).toEqual(['advertorial_label_missing:/story'])
  expect(label(`<p>News</p><p>Sponsored content</p>${article}`)).toEqual(['advertorial_label_missing:/story'])
  expect(label(`<p hidden>Sponsored content</p>${article}`)).toEqual(['advertorial_label_missing:/story'])
})

test('other pages don’t need a label', () => {
  expect(label('<h1>Check</h1><form></form>')).toEqual([])
  expect(label('<article><h1>Terms</h1></article>')).toEqual([])
})

const notice = 'We are not affiliated with the Social Security Administration or any government agency.'
const missing = (body: string) => named(noticeFindings([builtPage(body)]))

test('every page needs a visible notice that it is not the government', () => {
  expect(missing(`<footer><p>${notice}</p></footer>`)).toEqual([])
  expect(missing('<p>We are a private organization.</p>')).toEqual(['affiliation_notice_missing:/'])
  expect(missing(`<p hidden>${notice}</p>`)).toEqual(['affiliation_notice_missing:/'])
})

const whole =
  'I agree that Acme may call me. My consent is not required to obtain any good or service. I can opt out by replying STOP.'
const consentIn = (consent: string | null) => {
  const text = consent === null ? '' : `<p data-tf-element-role="consent-language">${consent}</p>`
  return named(consentFindings([builtPage(`<form><input name="phone">${text}</form>`)], 'Acme'))
}

test('a complete consent passes with any markup', () => {
  expect(consentIn(whole)).toEqual([])
  expect(consentIn(whole.replace('Acme', '<span>Acme</span>'))).toEqual([])
})

test.each([
  [null, 'consent_missing:/'],
  [whole.replace('Acme', 'a partner'), 'consent_without_seller:/'],
  [whole.replace('opt out', 'say no'), 'consent_without_opt_out:/'],
  [whole.replace(' by replying STOP', ''), 'consent_without_opt_out:/'],
  [whole.replace(' My consent is not required to obtain any good or service.', ''), 'consent_without_no_purchase:/'],
])('%s', (consent, name) => {
  expect(consentIn(consent)).toEqual([name])
})

test('a form without a phone field doesn’t need consent to calls', () => {
  expect(consentFindings([builtPage('<form><input name="email"></form>')], 'Acme')).toEqual([])
})

const draft = { file: 'content/legal/terms.md', isDraft: true }

test('a draft is rejected unless the footer links to such a page elsewhere', () => {
  expect(named(legalFindings({ terms: draft }, { terms: null }))).toEqual(['legal_draft:content/legal/terms.md'])
  expect(legalFindings({ terms: draft }, { terms: 'https://www.acme.test/terms' })).toEqual([])
  expect(legalFindings({ terms: { ...draft, isDraft: false } }, { terms: null })).toEqual([])
})

test.each(['It applies from [date].', 'Lorem ipsum dolor', 'TODO: ask Ann'])(
  '“%s” is reported as a placeholder',
  text => {
    expect(named(placeholderFindings([builtPage(`<p>${text}</p>`, { path: '/terms' })]))).toEqual([
      'placeholder_text:/terms',
    ])
  },
)

test('finished text isn’t reported', () => {
  expect(placeholderFindings([builtPage('<p>It applies from May 1, 2027 (a Saturday).</p>')])).toEqual([])
})

const own = { name: 'Harbor Light', phone: '207-555-0100', address: ['1 Pier Road'], hours: '9 to 5' }

test('an organization with its own name, number, address and hours passes', () => {
  expect(organizationFindings(own)).toEqual([])
})

test.each([
  [{ name: 'SSDI Advocate' }, 'organization_as_delivered:name'],
  [{ phone: '833-243-2965' }, 'organization_as_delivered:phone'],
  [{ address: null }, 'organization_incomplete:address'],
  [{ address: [] }, 'organization_incomplete:address'],
  [{ hours: null }, 'organization_incomplete:hours'],
])('%o is reported', (changed, name) => {
  expect(named(organizationFindings({ ...own, ...changed }))).toEqual([name])
})
