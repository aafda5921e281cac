import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { differingFigures, languageFindings } from './languages.ts'

const reviewed = { by: 'Ana Ruiz, Esq.', on: '2026-11-01' }
const answeredBy = 'Luis, all our hours'
const inSpanish = (facts: object) => named(languageFindings('es', { reviewed, answeredBy, ...facts }, '2026-11-15'))

test.each([
  [{}, []],
  [{ reviewed: null }, ['language_not_reviewed:Spanish']],
  [{ reviewed: { ...reviewed, by: ' ' } }, ['language_not_reviewed:Spanish']],
  [{ reviewed: { ...reviewed, on: '2026-11-16' } }, ['language_not_reviewed:Spanish']],
  [{ answeredBy: null }, ['language_without_staff:Spanish']],
])('pages in Spanish need a lawyer’s review and someone who answers: %o', (facts, expected) => {
  expect(inSpanish(facts)).toEqual(expected)
})

const english = builtPage('<p>Up to $4,018/Month. About 70% are denied.</p>')
const pair = (body: string, path = '/es/') => differingFigures([english, builtPage(body, { path })])

test('a figure that differs between languages is found, in either direction', () => {
  expect(pair('<p>Hasta $4,018 al mes. Cerca del 70 % se deniegan.</p>')).toEqual([])
  expect(pair('<p>Hasta $4,152 al mes. Cerca del 70% se deniegan.</p>')).toMatchObject([
    { code: 'figure_differs', subject: '/es/', detail: '$4,152, $4,018' },
  ])
  expect(pair('<p>Hasta $4,018 al mes.</p>')).toMatchObject([{ detail: '70%' }])
  // A page that exists only in Spanish has nothing to compare with.
  expect(pair('<p>Hasta $1.</p>', '/es/veteranos')).toEqual([])
})
