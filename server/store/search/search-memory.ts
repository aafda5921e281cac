/**
 * The searchable text of all leads, packed in memory in the order of their ids: a hundred bytes a lead. To read through all of
 * it takes some fifty milliseconds for a million; most of that is spared by a note, for every hundred leads or so, of which
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
  /** Leads that are not there yet, in whatever order. Those that come after all others cost the least. */
  add(leads: readonly TextOfLead[]): void
  /** Of these leads nothing but their ids stays. */
  forget(ids: readonly string[]): void
  idsIn(range: IdRange): readonly string[]
  /** The ids of those that are found, in the order asked for. */
  find(search: Search, range: IdRange, order: 'newest first' | 'oldest first'): Iterable<string>
  /** The last of all; empty when there is none. */
  readonly lastId: string
}

const LEADS_IN_A_BLOCK = 128
const GRAM = 4
const GRAM_BITS = 15
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
  /** The last ones, until they are enough for a block. */
  let open: TextOfLead[] = []

  const lastId = () => open.at(-1)?.id ?? blocks.at(-1)?.last ?? ''

  /** The last block that begins before an id, or with it; the first when none does. */
  function placeOf(id: string): number {
    let [from, to] = [0, blocks.length]
    while (to - from > 1) {
      const middle = (from + to) >> 1
      if ((blocks[middle] as Block).first <= id) from = middle
      else to = middle
    }
    return from
  }

  /** A lead that comes late belongs between others. */
  function insert(lead: TextOfLead): void {
    const place = placeOf(lead.id)
    const block = blocks[place]
    const isAmongOpen = !block || (place === blocks.length - 1 && lead.id > block.last)
    if (isAmongOpen) open = inOrder([...open, lead])
    else blocks[place] = pack(inOrder([...unpack(block), lead]))
  }

  return {
    add(leads) {
      for (const lead of leads) {
        if (lead.id > lastId()) open.push(lead)
        else insert(lead)
        if (open.length < LEADS_IN_A_BLOCK) continue
        blocks.push(pack(open))
        open = []
      }
    },
    forget(ids) {
      if (ids.length === 0) return
      const forgotten = new Set(ids)
      const without = (leads: readonly TextOfLead[]) =>
        leads.map(({ id, text }) => ({ id, text: forgotten.has(id) ? '' : text }))
      open = without(open)
      for (const place of new Set(ids.map(placeOf))) {
        const block = blocks[place]
        if (!block) continue
        blocks[place] = pack(without(unpack(block)))
        // The old bytes are not left to be collected some day.
        block.bytes.fill(0)
      }
    },
    idsIn(range) {
      const ids: string[] = []
      for (const block of blocks) {
        if (block.last < range.from || block.first >= range.before) continue
        for (let place = 0; place < sizeOf(block); place++) ids.push(idAt(block, place))
      }
      ids.push(...open.map(({ id }) => id))
      return ids.filter(id => isWithin(range, id))
    },
    *find(search, range, order) {
      const words = search.words.map(spellings => spellings.map(needleOf))
      if (order === 'newest first') yield* findAmong(open, search, range, order)
      for (let turn = 0; turn < blocks.length; turn++) {
        const block = blocks[order === 'newest first' ? blocks.length - 1 - turn : turn] as Block
        if (block.last < range.from || block.first >= range.before) continue
        const byId = search.idBeginning !== null && mayBegin(block, search.idBeginning)
        const byText = mayContain(block, words)
        if (byId || byText) yield* findIn(block, { search, words, range, order, byId, byText })
      }
      if (order === 'oldest first') yield* findAmong(open, search, range, order)
    },
    get lastId() {
      return lastId()
    },
  }
}

function inOrder(leads: readonly TextOfLead[]): TextOfLead[] {
  return leads.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Among leads that are not packed, in the order of their ids. */
function* findAmong(
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

function unpack(block: Block): readonly TextOfLead[] {
  return Array.from({ length: sizeOf(block) }, (_, place) => ({
    id: idAt(block, place),
    text: block.bytes.toString('utf8', block.starts[place], block.starts[place + 1]),
  }))
}

function sizeOf({ starts }: Block): number {
  return starts.length - 1
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

/** A word that is looked for. */
interface Needle {
  readonly bytes: Buffer
  readonly grams: readonly number[]
}

function needleOf(word: string): Needle {
  const bytes = Buffer.from(word)
  return { bytes, grams: Array.from({ length: Math.max(0, bytes.length - GRAM + 1) }, (_, at) => gramAt(bytes, at)) }
}

/** Asked of every block at every search: plain loops take a quarter of the time. */
function mayContain({ grams }: Block, words: readonly (readonly Needle[])[]): boolean {
  for (const spellings of words) {
    let isThere = false
    for (const needle of spellings) {
      isThere = true
      for (const gram of needle.grams) {
        isThere = ((grams[gram >> 3] as number) & (1 << (gram & 7))) !== 0
        if (!isThere) break
      }
      if (isThere) break
    }
    if (!isThere) return false
  }
  return true
}

function mayBegin({ first, last }: Block, idBeginning: string): boolean {
  return first.slice(0, idBeginning.length) <= idBeginning && last >= idBeginning
}

interface LookInto {
  readonly search: Search
  readonly words: readonly (readonly Needle[])[]
  readonly range: IdRange
  readonly order: 'newest first' | 'oldest first'
  readonly byId: boolean
  readonly byText: boolean
}

function* findIn(block: Block, { search, words, range, order, byId, byText }: LookInto): Iterable<string> {
  const found = new Set(byText ? placesOf(block, words) : [])
  if (byId) {
    const beginning = search.idBeginning ?? ''
    for (let place = 0; place < sizeOf(block); place++) if (idAt(block, place).startsWith(beginning)) found.add(place)
  }
  const places = [...found].toSorted((a, b) => (order === 'newest first' ? b - a : a - b))
  for (const place of places) {
    const id = idAt(block, place)
    if (isWithin(range, id)) yield id
  }
}

/** The leads of a block whose text has all words. */
function* placesOf(block: Block, words: readonly (readonly Needle[])[]): Iterable<number> {
  const [first = [], ...others] = words
  const { bytes, starts } = block
  for (const { bytes: needle } of first) {
    let place = 0
    for (let at = bytes.indexOf(needle); at !== -1; ) {
      while ((starts[place + 1] as number) <= at) place++
      const end = starts[place + 1] as number
      // Not one that begins in one lead's text and ends in the next one's.
      if (at + needle.length <= end) {
        const text = bytes.subarray(starts[place], end)
        if (others.every(spellings => spellings.some(word => text.includes(word.bytes)))) yield place
        at = bytes.indexOf(needle, end)
      } else {
        at = bytes.indexOf(needle, at + 1)
      }
    }
  }
}

function idAt({ ids }: Block, place: number): string {
  const hex = ids.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
