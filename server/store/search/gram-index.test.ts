import { expect, test } from 'vitest'
import { createGramIndex, needleOf } from './gram-index.ts'

/** More than lie on one shelf. */
const BLOCKS = 1100
const index = createGramIndex()
for (let block = 0; block < BLOCKS; block++) {
  index.note(block, textsOf(`person number ${block}.`, block % 2 ? 'odd one' : 'even one'))
}

function textsOf(...texts: readonly string[]) {
  const ends = texts.map((_, place) => Buffer.byteLength(texts.slice(0, place + 1).join('')))
  return { bytes: Buffer.from(texts.join('')), starts: Uint32Array.from([0, ...ends]) }
}

const blocksWith = (...words: readonly (readonly string[])[]) =>
  index.blocksWith(words.map(spellings => spellings.map(needleOf)))

test('every block that has the word is found, on whichever shelf', () => {
  expect(blocksWith(['person'])).toHaveLength(BLOCKS)
  for (const block of [0, 31, 32, 511, 512, 1023, 1024, 1099]) {
    const found = blocksWith([`number ${block}.`])
    expect(found).toContain(block)
    // By chance some are read in vain, but few.
    expect(found.length).toBeLessThan(20)
  }
})

test('all words must be there, each in one spelling or another', () => {
  const odd = blocksWith(['person'], ['nobody knows', 'odd one'])
  expect(odd.filter(block => block % 2 === 1)).toHaveLength(BLOCKS / 2)
  expect(odd.length).toBeLessThan(BLOCKS * 0.6)
  expect(blocksWith(['person'], ['nobody knows'])).toEqual([])
})

test('for a word of less than four bytes, all blocks are to be read', () => {
  expect(blocksWith(['odd'])).toHaveLength(BLOCKS)
})

test('of a block that is forgotten nothing is noted, and of its neighbours what was', () => {
  const before = blocksWith(['person'])
  index.forget(700)
  expect(blocksWith(['person'])).toEqual(before.filter(block => block !== 700))
  index.note(700, textsOf('somebody else'))
  expect(blocksWith(['somebody'])).toContain(700)
  expect(blocksWith(['person'])).not.toContain(700)
})

test('a block that there is not has nothing', () => {
  expect(Math.max(...blocksWith(['odd']), ...blocksWith(['person']))).toBe(BLOCKS - 1)
})
