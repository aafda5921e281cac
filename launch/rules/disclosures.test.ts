import { expect, test } from 'vitest'
import { textsIn } from '../../content/texts.ts'
import { named } from '../../tests/support/built-page.ts'
import {
  dateNotes,
  disclosureFindings,
  legalFindings,
  organizationFindings,
  placeholderFindings,
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
    ({ code, subject, change }) => `${code}:${subject} ${'file' in change ? change.file : ''}`,
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
    ['affiliation_notice_missing:English content/en/shared.ts'],
  ],
  // An English notice doesn't count on Spanish pages.
  ['es', { footer: complete.en.footer }, ['affiliation_notice_missing:Spanish content/es/shared.ts']],
  ['en', { advertorial: { sponsoredLabel: 'News' } }, ['advertorial_label_missing:English content/en/advertorial.ts']],
  [
    'es',
    { advertorial: { sponsoredLabel: 'Noticias' } },
    ['advertorial_label_missing:Spanish content/es/advertorial.ts'],
  ],
  ['en', consent('en', 'Acme', 'a partner'), ['consent_without_seller:English content/en/contact-form.ts']],
  ['en', consent('en', 'opt out', 'say no'), ['consent_without_opt_out:English content/en/contact-form.ts']],
  ['en', consent('en', ' by replying STOP'), ['consent_without_opt_out:English content/en/contact-form.ts']],
  [
    'en',
    consent('en', ' My consent is not required to obtain any good or service.'),
    ['consent_without_no_purchase:English content/en/contact-form.ts'],
  ],
  ['es', consent('es', 'Puedo cancelar'), ['consent_without_opt_out:Spanish content/es/contact-form.ts']],
  ['es', consent('es', 'no es requisito'), ['consent_without_no_purchase:Spanish content/es/contact-form.ts']],
] as const)('the disclosures in %s with %o: %j', (language, changed, expected) => {
  expect(found(language, changed)).toEqual(expected)
})

const draft = { file: 'content/legal/terms.md', isDraft: true }

test('a draft is reported unless the footer links to a page on another site', () => {
  expect(named(legalFindings({ terms: draft }, { terms: null }))).toEqual(['legal_draft:content/legal/terms.md'])
  expect(legalFindings({ terms: draft }, { terms: 'https://www.acme.test/terms' })).toEqual([])
  expect(legalFindings({ terms: { ...draft, isDraft: false } }, { terms: null })).toEqual([])
})

test.each([
  ['It applies from [date].', ['placeholder_text:content/es/legal/terms.md [date]']],
  ['Lorem ipsum dolor', ['placeholder_text:content/es/legal/terms.md Lorem ipsum']],
  ['TODO: ask Ann', ['placeholder_text:content/es/legal/terms.md TODO']],
  [
    'From [date], by [name], until [date].',
    ['placeholder_text:content/es/legal/terms.md [date]', 'placeholder_text:content/es/legal/terms.md [name]'],
  ],
  ['It applies from May 1, 2027 (a Saturday). See [our terms](/terms). Todo es gratis.', []],
])('placeholders in “%s”: %j', (text, expected) => {
  expect(named(placeholderFindings(textsIn({ 'es/legal/terms.md': text })))).toEqual(expected)
})

const own = { name: 'Harbor Light', phone: '207-555-0100', address: ['1 Pier Road'], hours: '9 to 5' }

test.each([
  [{}, []],
  [{ name: 'SSDI Advocate' }, ['organization_as_delivered:name']],
  [{ phone: '833-243-2965' }, ['organization_as_delivered:phone']],
  [{ address: null }, ['organization_incomplete:address']],
  [{ address: [] }, ['organization_incomplete:address']],
  [{ hours: null }, ['organization_incomplete:hours']],
])('an organization with %o: %j', (changed, expected) => {
  expect(named(organizationFindings({ ...own, ...changed }))).toEqual(expected)
})

test('notes an advertorial that always shows today’s date', () => {
  expect(dateNotes(null)).toMatchObject([{ id: 'advertorial_date' }])
  expect(dateNotes('2026-10-01')).toEqual([])
})
