import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { advertorialFindings } from './advertorial.ts'

const article = '<article><h1>Good news</h1><form></form></article>'
const found = (main: string, css = '') =>
  named(advertorialFindings([builtPage(`<main>${main}</main>`, { path: '/story', head: `<style>${css}</style>` })]))

test('an article with a form begins with its label', () => {
  expect(found(`<p><strong>Sponsored content</strong> by us</p>${article}`)).toEqual([])
  expect(found(article)).toEqual(['advertorial_label_missing:/story'])
  expect(found(`${article}<p>Sponsored content</p>`)).toEqual(['advertorial_label_missing:/story'])
  expect(found(`<p>News</p><p>Sponsored content</p>${article}`)).toEqual(['advertorial_label_missing:/story'])
})

test('the label is legible', () => {
  expect(found(`<p class="x">Advertisement</p>${article}`, '.x{font-size:9px}')).toEqual([
    'advertorial_label_illegible:/story',
  ])
})

test('other pages need none', () => {
  expect(found('<h1>Check</h1><form></form>')).toEqual([])
  expect(found('<article><h1>Terms</h1></article>')).toEqual([])
})
