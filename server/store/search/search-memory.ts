/**
 * The searchable text of all leads, packed in memory in the order of their ids: a hundred bytes a lead. To read through all of
 * it takes some fifty milliseconds for a million; most of that is spared by a note, for every few hundred leads, of which
 * four bytes follow each other somewhere in them.
 */
import { isFoundBy, type Search } from './search-text.ts'

export interface TextOfLead {
  readonly id: string
  /** Empty for an erased lead. */
  readonly text: string
}

/** From `from` on, and before `before`. */
export interface IdRange {
  readonly from: string
  readonly before: string
}

export interface SearchMemory {
  /** Leads after all that are there, in the order of their ids. */
  append(leads: readonly TextOfLead[]): void
  /** The ids of those that are found, in the order asked for. */
  find(search: Search, range: IdRange, order: 'newest first' | 'oldest first'): Iterable<string>
  readonly size: number
}

const LEADS_IN_A_BLOCK = 512
const GRAM = 4
const GRAM_BITS = 17
const ID_BYTES = 16

interface Block {
  readonly ids: Buffer
  readonly bytes: Buffer
  /** Where each lead's text begins, and where the last one ends. */
  readonly starts: Uint32Array
  readonly grams: Uint8Array
  readonly first: string
  readonly last: string
}

export function createSearchMemory(): SearchMemory {
  const blocks: Block[] = []
  let open: TextOfLead[] = []

  return {
    append(leads) {
      open.push(...leads)
      while (open.length >= LEADS_IN_A_BLOCK) {
        blocks.push(pack(open.slice(0, LEADS_IN_A_BLOCK)))
        open = open.slice(LEADS_IN_A_BLOCK)
      }
    },
    *find(search, range, order) {
      const needles = search.words.map(spellings => spellings.map(word => Buffer.from(word)))
      if (order === 'newest first') {
        yield* findAmong(open, search, range, order)
        for (let index = blocks.length - 1; index >= 0; index--) {
          yield* findIn(blocks[index] as Block, search, needles, range, order)
        }
        return
      }
      for (const block of blocks) yield* findIn(block, search, needles, range, order)
      yield* findAmong(open, search, range, order)
    },
    get size() {
      return blocks.length * LEADS_IN_A_BLOCK + open.length
    },
  }
}

/** The same among leads that are not packed, in the order of their ids. */
export function* findAmong(
  leads: readonly TextOfLead[],
  search: Search,
  range: IdRange,
  order: 'newest first' | 'oldest first',
): Iterable<string> {
  for (let turn = 0; turn < leads.length; turn++) {
    const { id, text } = leads[order === 'newest first' ? leads.length - 1 - turn : turn] as TextOfLead
    if (isWithin(range, id) && isFoundBy(search, id, text)) yield id
  }
}

function isWithin({ from, before }: IdRange, id: string): boolean {
  return id >= from && id < before
}

function pack(leads: readonly TextOfLead[]): Block {
  const texts = leads.map(({ text }) => Buffer.from(text))
  const bytes = Buffer.concat(texts)
  const starts = new Uint32Array(leads.length + 1)
  const grams = new Uint8Array(2 ** GRAM_BITS / 8)
  for (const [index, text] of texts.entries()) {
    starts[index + 1] = (starts[index] as number) + text.length
    for (let at = 0; at + GRAM <= text.length; at++) {
      const gram = gramAt(text, at)
      grams[gram >> 3] = (grams[gram >> 3] as number) | (1 << (gram & 7))
    }
  }
  const ids = Buffer.from(leads.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex')
  return { ids, bytes, starts, grams, first: leads[0]?.id ?? '', last: leads.at(-1)?.id ?? '' }
}

/** Four bytes, as the number of one bit. Some share theirs, which only lets a block be read in vain. */
function gramAt(text: Buffer, at: number): number {
  const four =
    (text[at] as number) |
    ((text[at + 1] as number) << 8) |
    ((text[at + 2] as number) << 16) |
    ((text[at + 3] as number) << 24)
  return Math.imul(four, 0x9e3779b1) >>> (32 - GRAM_BITS)
}

function mayContain({ grams }: Block, needle: Buffer): boolean {
  for (let at = 0; at + GRAM <= needle.length; at++) {
    const gram = gramAt(needle, at)
    if (((grams[gram >> 3] as number) & (1 << (gram & 7))) === 0) return false
  }
  return true
}

function* findIn(
  block: Block,
  { idBeginning }: Search,
  needles: readonly (readonly Buffer[])[],
  range: IdRange,
  order: 'newest first' | 'oldest first',
): Iterable<string> {
  if (block.last < range.from || block.first >= range.before) return
  const byId =
    idBeginning !== null && block.first.slice(0, idBeginning.length) <= idBeginning && block.last >= idBeginning
  const byText = needles.every(spellings => spellings.some(needle => mayContain(block, needle)))
  if (!byId && !byText) return
  const found = new Set(byText ? placesOf(block, needles) : [])
  if (byId && idBeginning !== null) {
    for (let place = 0; place < LEADS_IN_A_BLOCK; place++)
      if (idAt(block, place).startsWith(idBeginning)) found.add(place)
  }
  const places = [...found].toSorted((a, b) => (order === 'newest first' ? b - a : a - b))
  for (const place of places) {
    const id = idAt(block, place)
    if (isWithin(range, id)) yield id
  }
}

/** The leads of a block whose text has all words. */
function* placesOf(block: Block, needles: readonly (readonly Buffer[])[]): Iterable<number> {
  const [first = [], ...others] = needles
  const { bytes, starts } = block
  for (const needle of first) {
    let place = 0
    for (let at = bytes.indexOf(needle); at !== -1; ) {
      while ((starts[place + 1] as number) <= at) place++
      const end = starts[place + 1] as number
      // Not one that begins in one lead's text and ends in the next one's.
      if (at + needle.length <= end) {
        const text = bytes.subarray(starts[place], end)
        if (others.every(spellings => spellings.some(word => text.includes(word)))) yield place
        at = bytes.indexOf(needle, end)
      } else {
        at = bytes.indexOf(needle, at + 1)
      }
    }
  }
}

function idAt({ ids }: Block, place: number): string {
  const hex = ids.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
