import { expect, test } from 'vitest'
import { data } from '../site-folder/data.ts'
import { gradeOf, hardestIn, readingNotes, SIXTH_GRADE, sentencesIn, syllablesIn } from './reading-level.ts'
import { readTexts } from './site-findings.ts'

test.each([
  ['en', { take: 1, asked: 1, wanted: 2, table: 2, safely: 2, money: 2, disability: 5, Security: 4, because: 2 }],
  ['es', { quien: 1, muy: 1, seguro: 3, día: 2, ciudad: 2, guía: 2, incapacidad: 5, Administración: 5, leer: 2 }],
] as const)('counts syllables in %s', (language, words) => {
  const counted = Object.keys(words).map(word => [word, syllablesIn(language, word)])
  expect(Object.fromEntries(counted)).toEqual(words)
})

test('a sentence ends with a period, but not in “9 a.m.” or “$4.50”', () => {
  expect(sentencesIn('We open at 9 a.m. to 6 p.m. on weekdays. It costs $4.50. “Really?” Yes.')).toHaveLength(4)
})

// 100 words of one syllable in sentences of ten: 0.39 × 10 + 11.8 − 15.59, and 206.84 − 60 − 10.2.
const simple = (word: string) => Array.from({ length: 10 }, () => `${`${word} `.repeat(9)}${word}.`)

test('computes both formulas', () => {
  expect(gradeOf({ language: 'en', texts: simple('cat') })).toBeCloseTo(0.11, 2)
  expect(gradeOf({ language: 'es', texts: simple('sol') })).toBeCloseTo(7 - (136.64 - 70) / 10, 2)
  expect(gradeOf({ language: 'en', texts: [] })).toBe(0)
})

test('notes every grade, and the hardest sentences of a text above sixth grade', () => {
  const hard =
    'Representation necessitates considerable documentation, administrative familiarity, and perseverance throughout proceedings.'
  const page = { language: 'en', name: 'page', texts: ['A cat sat on a mat.', hard] } as const
  expect(hardestIn(page)).toEqual([hard])
  const notes = readingNotes([page, { ...page, name: 'easy', texts: ['A cat sat.'] }])
  expect(notes.map(({ id }) => id)).toEqual(['reading_level:en', 'reading_level:en page'])
  expect(notes[1]?.reason).toContain(hard)
})

/** The specification sets the footer's disclaimer, and a lawyer the rest. */
const NOT_FORCED = ['header and footer', 'consent']

test('the pages and the form read at sixth grade or below, in both languages', () => {
  const forced = readTexts(data).filter(({ name }) => !NOT_FORCED.includes(name) && !name.startsWith('/'))
  const grades = forced.map(text => ({ text: `${text.language} ${text.name}`, grade: gradeOf(text) }))
  expect(grades.length).toBeGreaterThan(7)
  expect(grades.filter(({ grade }) => grade > SIXTH_GRADE)).toEqual([])
})
