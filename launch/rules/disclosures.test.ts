import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import {
  advertorialFindings,
  consentFindings,
  dateNotes,
  legalFindings,
  noticeFindings,
  organizationFindings,
  placeholderFindings,
} from './disclosures.ts'

const article = '<article><h1>Good news</h1><form></form></article>'
const label = (main: string) => named(advertorialFindings([builtPage(`<main>${main}</main>`, { path: '/story' })]))

test('an article with a form must start with an ad label; other pages don’t need one', () => {
  const sponsored = '<p>Sponsored content</p>'
  for (const main of [
    article,
    article + sponsored,
    `<p>News</p>${sponsored}${article}`,
    `<p hidden>Sponsored content</p>${article}`,
  ]) {
    expect([main, label(main)]).toEqual([main, ['advertorial_label_missing:/story']])
  }
  const labeled = `<p><strong>Sponsored content</strong> by us</p>${article}`
  for (const main of [labeled, '<h1>Check</h1><form></form>', '<article><h1>Terms</h1></article>']) {
    expect([main, label(main)]).toEqual([main, []])
  }
})

const notice = 'We are not affiliated with the Social Security Administration or any government agency.'
const missing = (body: string) => named(noticeFindings([builtPage(body)]))

test('every page needs a visible notice that it is not a government site', () => {
  expect(missing(`<footer><p>${notice}</p></footer>`)).toEqual([])
  expect(missing('<p>We are a private organization.</p>')).toEqual(['affiliation_notice_missing:/'])
  expect(missing(`<p hidden>${notice}</p>`)).toEqual(['affiliation_notice_missing:/'])
})

const valid =
  'I agree that Acme may call me. My consent is not required to obtain any good or service. I can opt out by replying STOP.'
const consentIn = (consent: string | null) => {
  const text = consent === null ? '' : `<p data-tf-element-role="consent-language">${consent}</p>`
  return named(consentFindings([builtPage(`<form><input name="phone">${text}</form>`)], 'Acme'))
}

test.each([
  [valid, []],
  [valid.replace('Acme', '<span>Acme</span>'), []],
  [null, ['consent_missing:/']],
  [valid.replace('Acme', 'a partner'), ['consent_without_seller:/']],
  [valid.replace('opt out', 'say no'), ['consent_without_opt_out:/']],
  [valid.replace(' by replying STOP', ''), ['consent_without_opt_out:/']],
  [valid.replace(' My consent is not required to obtain any good or service.', ''), ['consent_without_no_purchase:/']],
])('findings in the consent “%s”: %j', (consent, expected) => expect(consentIn(consent)).toEqual(expected))

test('a form without a phone field doesn’t need consent to calls', () => {
  expect(consentFindings([builtPage('<form><input name="email"></form>')], 'Acme')).toEqual([])
})

const draft = { file: 'content/legal/terms.md', isDraft: true }

test('a draft is reported unless the footer links to a page on another site', () => {
  expect(named(legalFindings({ terms: draft }, { terms: null }))).toEqual(['legal_draft:content/legal/terms.md'])
  expect(legalFindings({ terms: draft }, { terms: 'https://www.acme.test/terms' })).toEqual([])
  expect(legalFindings({ terms: { ...draft, isDraft: false } }, { terms: null })).toEqual([])
})

test.each([
  ['It applies from [date].', ['placeholder_text:/terms [date]']],
  ['Lorem ipsum dolor', ['placeholder_text:/terms Lorem ipsum']],
  ['TODO: ask Ann', ['placeholder_text:/terms TODO']],
  ['From [date], by [name], until [date].', ['placeholder_text:/terms [date]', 'placeholder_text:/terms [name]']],
  ['It applies from May 1, 2027 (a Saturday).', []],
])('placeholders in “%s”: %j', (text, expected) => {
  const terms = { path: '/terms', file: 'content/legal/terms.md' }
  const found = placeholderFindings([builtPage(`<p>${text}</p>`, { path: terms.path })], { terms })
  expect(named(found)).toEqual(expected)
  // Several legal pages may contain the same placeholder, so the file must be this page's.
  for (const { change } of found) expect(change).toMatchObject({ file: terms.file })
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

test('reads the same disclosures in Spanish', () => {
  const page = (body: string) => [builtPage(body, { path: '/es/', language: 'es' })]
  const notice = 'No está afiliada a la Administración del Seguro Social ni a ninguna agencia del gobierno.'
  expect(noticeFindings(page(`<p>${notice}</p>`))).toEqual([])
  expect(named(noticeFindings(page('<p>Es una organización privada.</p>')))).toEqual([
    'affiliation_notice_missing:/es/',
  ])
  // An English notice doesn't count on a Spanish page.
  const english = 'We are not affiliated with the Social Security Administration or any government agency.'
  expect(noticeFindings(page(`<p>${english}</p>`))).toHaveLength(1)

  const article = '<article><h1>Buenas noticias</h1><form></form></article>'
  expect(advertorialFindings(page(`<main><p>Contenido patrocinado</p>${article}</main>`))).toEqual([])
  expect(advertorialFindings(page(`<main><p>Noticias</p>${article}</main>`))).toHaveLength(1)

  const form = (text: string) =>
    page(`<form><input name="phone"><p data-tf-element-role="consent-language">${text}</p></form>`)
  const agreed =
    'Acme puede llamarme. Mi consentimiento no es requisito para obtener ningún bien ni servicio. Puedo cancelar respondiendo STOP o ALTO.'
  expect(consentFindings(form(agreed), 'Acme')).toEqual([])
  expect(named(consentFindings(form('Acme puede llamarme.'), 'Acme'))).toEqual([
    'consent_without_opt_out:/es/',
    'consent_without_no_purchase:/es/',
  ])
})

test('notes an advertorial that always shows today’s date', () => {
  expect(dateNotes(null)).toMatchObject([{ id: 'advertorial_date' }])
  expect(dateNotes('2026-10-01')).toEqual([])
})
