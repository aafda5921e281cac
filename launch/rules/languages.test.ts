import { expect, test } from 'vitest'
import { languages } from '../../content/languages.ts'
import { textsIn } from '../../content/texts.ts'
import { named } from '../../tests/support/built-page.ts'
import { differingFigures, languageFindings } from './languages.ts'

const reviewed = { by: 'Ana Ruiz, Esq.', on: '2026-11-01' }
const answeredBy = 'Luis, all our hours'
const filledIn = { reviewed, answeredBy, stopWord: 'ALTO' }
const inSpanish = (facts: object) => named(languageFindings('es', { ...filledIn, ...facts }, '2026-11-15'))

test.each([
  [{}, []],
  [{ reviewed: null }, ['language_not_reviewed:Spanish']],
  [{ reviewed: { ...reviewed, by: ' ' } }, ['language_not_reviewed:Spanish']],
  [{ reviewed: { ...reviewed, on: '2026-11-16' } }, ['language_not_reviewed:Spanish']],
  [{ answeredBy: null }, ['language_without_staff:Spanish']],
  [{ stopWord: null }, ['language_without_stop_word:Spanish']],
])('pages in Spanish need a lawyer’s review, someone who answers, and a word like STOP: %o', (facts, expected) => {
  expect(inSpanish(facts)).toEqual(expected)
})

const pair = (spanish: string | null, english = 'Up to $4,018/Month. About 70% are denied.') =>
  differingFigures(
    textsIn({
      'en/landing.ts': { hero: { note: english } },
      'es/landing.ts': { hero: { note: spanish, other: '$1' } },
    }),
  )

test('a figure that differs between languages is found, in either direction', () => {
  expect(pair('Hasta $4,018 al mes. Cerca del 70 % se deniegan.')).toEqual([])
  expect(pair('Hasta $4,152 al mes. Cerca del 70% se deniegan.')).toMatchObject([
    {
      code: 'figure_differs',
      subject: 'content/es/landing.ts hero note',
      detail: '$4,152, $4,018',
      change: { file: 'content/es/landing.ts', after: ['$4,152'] },
    },
  ])
  expect(pair('Hasta $4,018 al mes.')).toMatchObject([{ detail: '70%' }])
  // One language may hide a text.
  expect(pair(null)).toEqual([])
})

test.runIf(languages.includes('es'))('compares the languages of a testimonial or a landing page, too', () => {
  const files = { 'landing-pages.ts': [{ path: '/veterans', en: { title: 'Up to $1' }, es: { title: 'Hasta $2' } }] }
  expect(differingFigures(textsIn(files))).toMatchObject([{ change: { file: 'content/landing-pages.ts' } }])
})
