import { expect } from 'vitest'
import { questions } from '../../content/questions.ts'
import { specified } from './specified.ts'

specified(
  'the six questions are asked in the words and the order of the specification, with its required answers',
  () => {
    const asked: readonly [RegExp, 'yes' | 'no'][] = [
      [/out of work due to a mental and\/or physical condition/, 'yes'],
      [/out of work for at least 1 year/, 'yes'],
      [/currently getting SSDI benefits from the SSA/, 'no'],
      [/worked 5 of the last 10 years/, 'yes'],
      [/currently represented by an attorney/, 'no'],
      [/age between 55 and 64/, 'yes'],
    ]
    expect(questions.map(({ required }) => required)).toEqual(asked.map(([, required]) => required))
    for (const [index, [words]] of asked.entries()) expect(questions[index]?.text).toMatch(words)
  },
)
