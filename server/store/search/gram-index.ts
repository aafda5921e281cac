/**
 * Which blocks of leads a search has to read: a note of which four bytes follow each other somewhere in which block. What 32 blocks
 * have is noted in one number for each four bytes, so that one look tells of all of them.
 */

import { ownBytes } from './own-bytes.ts'

/** What it says may be there is not always, and whoever reads the block finds that out. */
export interface GramIndex {
  /** The texts of a block, beside what was noted of it before. */
  note(block: number, texts: BlockText): void
  /** Nothing is noted of the block any more. */
  forget(block: number): void
  /** Blocks that may have all words, each in one spelling or another, in their order. */
  blocksWith(words: readonly (readonly Needle[])[]): readonly number[]
}

/** Texts one after the other. */
export interface BlockText {
  readonly bytes: Buffer
  /** Where each of them begins, and where the last one ends. */
  readonly starts: Uint32Array
}

/** A word that is looked for. */
export interface Needle {
  readonly bytes: Buffer
  readonly grams: readonly number[]
}

const GRAM = 4
const GRAM_BITS = 15
const GRAMS = 2 ** GRAM_BITS

export function needleOf(word: string): Needle {
  const bytes = ownBytes(word)
  return { bytes, grams: Array.from({ length: Math.max(0, bytes.length - GRAM + 1) }, (_, at) => gramAt(bytes, at)) }
}

export function createGramIndex(): GramIndex {
  /** Of 32 blocks each: for each gram a number with a bit for each block. */
  const shelves: Uint32Array[] = []
  /** How many blocks there are: a word too short for a gram may be in each of them, but in no other. */
  let size = 0

  function shelfOf(block: number): Uint32Array {
    while (shelves.length <= block >> 5) shelves.push(new Uint32Array(GRAMS))
    return shelves[block >> 5] as Uint32Array
  }

  return {
    note(block, { bytes, starts }) {
      const shelf = shelfOf(block)
      const bit = 1 << (block & 31)
      size = Math.max(size, block + 1)
      for (let place = 1; place < starts.length; place++) {
        const last = (starts[place] as number) - GRAM
        for (let at = starts[place - 1] as number; at <= last; at++) {
          const gram = gramAt(bytes, at)
          shelf[gram] = (shelf[gram] as number) | bit
        }
      }
    },
    forget(block) {
      const shelf = shelfOf(block)
      const others = ~(1 << (block & 31))
      for (let gram = 0; gram < GRAMS; gram++) shelf[gram] = (shelf[gram] as number) & others
    },
    blocksWith(words) {
      const found: number[] = []
      for (const [place, shelf] of shelves.entries()) {
        for (let left = withAll(shelf, words); left !== 0; left &= left - 1) {
          const lowest = 31 - Math.clz32(left & -left)
          if (place * 32 + lowest < size) found.push(place * 32 + lowest)
        }
      }
      return found
    },
  }
}

/** Asked of every shelf at every search: plain loops, which end as soon as no block is left. */
function withAll(shelf: Uint32Array, words: readonly (readonly Needle[])[]): number {
  let all = -1
  for (const spellings of words) {
    let any = 0
    for (const { grams } of spellings) {
      let one = all
      for (const gram of grams) {
        one &= shelf[gram] as number
        if (one === 0) break
      }
      any |= one
    }
    all = any
    if (all === 0) break
  }
  return all
}

/** Four bytes, as the number of a note. Some share theirs, which only lets a block be read in vain. */
function gramAt(text: Uint8Array, at: number): number {
  const four =
    (text[at] as number) |
    ((text[at + 1] as number) << 8) |
    ((text[at + 2] as number) << 16) |
    ((text[at + 3] as number) << 24)
  return Math.imul(four, 0x9e3779b1) >>> (32 - GRAM_BITS)
}
