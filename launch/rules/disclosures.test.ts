import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { advertorialFindings, noticeFindings } from './disclosures.ts'

const article = '<article><h1>Good news</h1><form></form></article>'
const label = (main: string) => named(advertorialFindings([builtPage(`<main>${main}</main>`, { path: '/story' })]))

test('an article with a form starts with its label', () => {
  expect(label(`<p><strong>Sponsored content</strong> by us</p>${article}`)).toEqual([])
  expect(label(article)).toEqual(['advertorial_label_missing:/story'])
  expect(label(`${article}<p>Sponsored content</p>`)).toEqual(['advertorial_label_missing:/story'])
  expect(label(`<p>News</p><p>Sponsored content</p>${article}`)).toEqual(['advertorial_label_missing:/story'])
  expect(label(`<p hidden>Sponsored content</p>${article}`)).toEqual(['advertorial_label_missing:/story'])
})

test('other pages need no label', () => {
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
