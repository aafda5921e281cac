import { expect, test } from 'vitest'
import { named } from '../../tests/support/built-page.ts'
import { found } from '../../tests/support/found-text.ts'
import { differingFigures, spanishFindings } from './languages.ts'

const reviewed = { by: 'Ana Ruiz, Esq.', on: '2026-11-01', version: 'a1' }
const answeredBy = 'Luis, all our hours'
const stopWord = 'ALTO'

test.each([
  [reviewed, { answeredBy, stopWord }, []],
  [undefined, { answeredBy, stopWord }, ['language_not_reviewed:Spanish']],
  [{ ...reviewed, on: '2026-11-16' }, { answeredBy, stopWord }, ['language_not_reviewed:Spanish']],
  [reviewed, { stopWord }, ['language_without_staff:Spanish']],
  [reviewed, { answeredBy }, ['language_without_stop_word:Spanish']],
])(
  'pages in Spanish need a lawyer’s review, someone who answers, and a word like STOP: %o %o',
  (review, facts, expected) => {
    expect(named(spanishFindings(review, 'a1', facts, '2026-11-15'))).toEqual(expected)
  },
)

const note = (text: string, language: 'en' | 'es') => found('landing.hero.note', text, language)
const pair = (spanish: string, english = 'Up to $4,018/Month. About 70% are denied.') =>
  differingFigures([note(english, 'en'), note(spanish, 'es'), found('landing.hero.other', '$1', 'es')])

test('a figure that differs between languages is found, in either direction', () => {
  expect(pair('Hasta $4,018 al mes. Cerca del 70 % se deniegan.')).toEqual([])
  expect(pair('Hasta $4,152 al mes. Cerca del 70% se deniegan.')).toMatchObject([
    {
      code: 'figure_differs',
      subject: 'landing.hero.note in es',
      detail: '$4,152, $4,018',
      change: { file: 'content/es.toml', line: 1 },
    },
  ])
  expect(pair('Hasta $4,018 al mes.')).toMatchObject([{ detail: '70%' }])
})
