import { expect, test } from 'vitest'
import { named } from '../../tests/support/built-page.ts'
import { found as text } from '../../tests/support/found-text.ts'
import {
  disclosureFindings,
  legalFindings,
  organizationFindings,
  placeholderFindings,
  reviewFindings,
} from './disclosures.ts'

const complete = {
  en: {
    footer: { affiliation: 'We are not affiliated with the Social Security Administration or any government agency.' },
    advertorial: { sponsoredLabel: 'Sponsored content' },
    consent: {
      text: 'I agree that Acme may call me. My consent is not required to obtain any good or service. I can opt out by replying STOP.',
    },
  },
  es: {
    footer: {
      affiliation: 'No está afiliada a la Administración del Seguro Social ni a ninguna agencia del gobierno.',
    },
    advertorial: { sponsoredLabel: 'Contenido patrocinado' },
    consent: {
      text: 'Acme puede llamarme. Mi consentimiento no es requisito para obtener ningún bien ni servicio. Puedo cancelar respondiendo STOP o ALTO.',
    },
  },
}

const found = (language: 'en' | 'es', changed: object) =>
  disclosureFindings(language, { ...complete[language], ...changed }, 'Acme').map(
    ({ code, subject, change }) => `${code}:${subject} ${'key' in change ? change.key : ''}`,
  )
const consent = (language: 'en' | 'es', before: string, after = '') => ({
  consent: { text: complete[language].consent.text.replace(before, after) },
})

test.each([
  ['en', {}, []],
  ['es', {}, []],
  [
    'en',
    { footer: { affiliation: 'A private organization.' } },
    ['affiliation_notice_missing:English en.toml footer.affiliation'],
  ],
  // An English notice doesn't count on Spanish pages.
  ['es', { footer: complete.en.footer }, ['affiliation_notice_missing:Spanish es.toml footer.affiliation']],
  [
    'en',
    { advertorial: { sponsoredLabel: 'News' } },
    ['advertorial_label_missing:English en.toml advertorial.sponsoredLabel'],
  ],
  [
    'es',
    { advertorial: { sponsoredLabel: 'Noticias' } },
    ['advertorial_label_missing:Spanish es.toml advertorial.sponsoredLabel'],
  ],
  ['en', consent('en', 'Acme', 'a partner'), ['consent_without_seller:English consent.en.md']],
  ['en', consent('en', 'opt out', 'say no'), ['consent_without_opt_out:English consent.en.md']],
  ['en', consent('en', ' by replying STOP'), ['consent_without_opt_out:English consent.en.md']],
  [
    'en',
    consent('en', ' My consent is not required to obtain any good or service.'),
    ['consent_without_no_purchase:English consent.en.md'],
  ],
  ['es', consent('es', 'Puedo cancelar'), ['consent_without_opt_out:Spanish consent.es.md']],
  ['es', consent('es', 'no es requisito'), ['consent_without_no_purchase:Spanish consent.es.md']],
] as const)('the disclosures in %s with %o: %j', (language, changed, expected) => {
  expect(found(language, changed)).toEqual(expected)
})

const draft = { file: 'legal/terms.en.md', isDraft: true }
const elsewhere = { terms: 'https://www.acme.test/terms' }

test('a draft is reported unless the footer links to a page on another site', () => {
  expect(named(legalFindings({ terms: draft }, {}, {}))).toEqual(['legal_draft:legal/terms.en.md'])
  expect(legalFindings({ terms: draft }, elsewhere, {})).toEqual([])
  expect(legalFindings({ terms: { ...draft, isDraft: false } }, {}, {})).toEqual([])
})

test('a reviewed page that a page on another site replaces is reported', () => {
  const review = { by: 'Ana Ruiz, Esq.', on: '2026-10-01', version: 'a1' }
  expect(legalFindings({ terms: draft }, elsewhere, { 'legal/terms.en': review })).toMatchObject([
    { code: 'reviewed_text_elsewhere', subject: 'legal/terms.en', detail: elsewhere.terms },
  ])
})

test.each([
  ['It applies from [date].', ['placeholder_text:legal.terms [date]']],
  ['Lorem ipsum dolor', ['placeholder_text:legal.terms Lorem ipsum']],
  ['TODO: ask Ann', ['placeholder_text:legal.terms TODO']],
  [
    'From [date], by [name], until [date].',
    ['placeholder_text:legal.terms [date]', 'placeholder_text:legal.terms [name]'],
  ],
  ['It applies from May 1, 2027 (a Saturday). See [our terms](/terms). Todo es gratis.', []],
])('placeholders in “%s”: %j', (said, expected) => {
  expect(named(placeholderFindings([text('legal.terms', said, 'es')]))).toEqual(expected)
})

const own = {
  name: 'Harbor Light',
  phone: '207-555-0100',
  address: ['1 Pier Road'],
  hours: { en: '9 to 5', es: '9 a 5' },
}

const { address, ...withoutAddress } = own
const { hours, ...withoutHours } = own

test.each([
  [own, []],
  [{ ...own, name: 'SSDI Advocate' }, ['organization_as_delivered:name']],
  [{ ...own, phone: '833-243-2965' }, ['organization_as_delivered:phone']],
  [{ ...own, address: [] }, ['organization_incomplete:address']],
  [withoutAddress, ['organization_incomplete:address']],
  [withoutHours, ['organization_incomplete:hours']],
])('an organization with %o: %j', (organization, expected) => {
  expect(named(organizationFindings(organization))).toEqual(expected)
})

test('a review is of one version of a text', () => {
  const text = { file: 'consent.en.md', version: 'a1', isLive: true }
  const reviewed = { by: 'Ana Ruiz, Esq.', on: '2026-10-01', version: 'a1' }
  expect(reviewFindings({ 'consent.en': text }, { 'consent.en': reviewed })).toEqual([])
  expect(named(reviewFindings({ 'consent.en': text }, {}))).toEqual(['text_not_reviewed:consent.en'])
  const edited = { 'consent.en': { ...text, version: 'b2', isLive: false } }
  expect(reviewFindings(edited, { 'consent.en': reviewed })).toMatchObject([{ code: 'text_held_back', detail: 'b2' }])
})
