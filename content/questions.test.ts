import { expect, test } from 'vitest'
import { numberWords } from './number-words.ts'
import { questionCount, questions } from './questions.ts'

test('question ids are unique: stored leads tell answers apart by them', () => {
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
})

test('the copy names as many questions as there are', () => {
  expect(questionCount).toEqual(numberWords(questions.length))
  expect([6, 7, 12, 13].map(number => numberWords(number).inside)).toEqual(['six', 'seven', 'twelve', '13'])
  expect(numberWords(7).first).toBe('Seven')
})
