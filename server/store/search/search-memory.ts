/**
 * The searchable text of all leads, packed in memory in the order of their ids: a hundred bytes a lead. To read through all of
 * it takes some fifty milliseconds for a million; most of that is spared by the index, which knows the blocks that are worth it.
 */
import { createGramIndex, type Needle, needleOf } from './gram-index.ts'
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
  /** How many those are, at a fraction of the cost. */
  countIn(range: IdRange): number
  /** The ids of those that are found, in the order asked for. */
  find(search: Search, range: IdRange, order: 'newest first' | 'oldest first'): Iterable<string>
  /** The last of all; empty when there is none. */
  readonly lastId: string
}

const LEADS_IN_A_BLOCK = 128
const ID_BYTES = 16

interface Block {
  readonly ids: Buffer
  readonly bytes: Buffer
  /** Where each lead's text begins, and where the last one ends. */
  readonly starts: Uint32Array
  readonly first: string
  readonly last: string
}

export function createSearchMemory(): SearchMemory {
  const blocks: Block[] = []
  const index = createGramIndex()
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

  /** Those that may have some of it. */
  function* blocksIn({ from, before }: IdRange): Iterable<Block> {
    for (let at = placeOf(from); at < blocks.length; at++) {
      const block = blocks[at] as Block
      if (block.first >= before) return
      yield block
    }
  }

  /** A lead that comes late belongs between others. */
  function insert(lead: TextOfLead): void {
    const place = placeOf(lead.id)
    const block = blocks[place]
    const isAmongOpen = !block || (place === blocks.length - 1 && lead.id > block.last)
    if (isAmongOpen) open = inOrder([...open, lead])
    else put(place, inOrder([...unpack(block), lead]))
  }

  function put(place: number, leads: readonly TextOfLead[]): void {
    const texts = leads.map(({ text }) => Buffer.from(text))
    blocks[place] = pack(leads, texts)
    index.note(place, texts)
  }

  return {
    add(leads) {
      for (const lead of leads) {
        if (lead.id > lastId()) open.push(lead)
        else insert(lead)
        if (open.length < LEADS_IN_A_BLOCK) continue
        put(blocks.length, open)
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
        index.forget(place)
        put(place, without(unpack(block)))
        // The old bytes are not left to be collected some day.
        block.bytes.fill(0)
      }
    },
    idsIn(range) {
      const ids = [...blocksIn(range)].flatMap(idsOf)
      ids.push(...open.map(({ id }) => id))
      return ids.filter(id => isWithin(range, id))
    },
    countIn(range) {
      let count = open.filter(({ id }) => isWithin(range, id)).length
      for (const block of blocksIn(range)) {
        const isWhole = isWithin(range, block.first) && isWithin(range, block.last)
        count += isWhole ? sizeOf(block) : idsOf(block).filter(id => isWithin(range, id)).length
      }
      return count
    },
    *find(search, range, order) {
      const words = search.words.map(spellings => spellings.map(needleOf))
      const { idBeginning } = search
      const withWords = index.blocksWith(words)
      // As they are now: whoever takes them one by one may have others added meanwhile, and must not meet with some twice.
      const [last, notPacked] = [blocks.length - 1, [...open]]
      const firstById = idBeginning === null ? Number.POSITIVE_INFINITY : placeOf(idBeginning)
      if (order === 'newest first') yield* findAmong(notPacked, search, range, order)
      for (let turn = 0; turn <= last; turn++) {
        const place = order === 'newest first' ? last - turn : turn
        const byText = withWords.has(place)
        if (!byText && place < firstById) continue
        const block = blocks[place] as Block
        if (block.last < range.from || block.first >= range.before) continue
        const byId = idBeginning !== null && mayBegin(block, idBeginning)
        if (byId || byText) yield* findIn(block, { search, words, range, order, byId, byText })
      }
      if (order === 'oldest first') yield* findAmong(notPacked, search, range, order)
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

function pack(leads: readonly TextOfLead[], texts: readonly Buffer[]): Block {
  const starts = new Uint32Array(leads.length + 1)
  for (const [place, text] of texts.entries()) starts[place + 1] = (starts[place] as number) + text.length
  const ids = Buffer.from(leads.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex')
  return { ids, bytes: Buffer.concat(texts), starts, first: leads[0]?.id ?? '', last: leads.at(-1)?.id ?? '' }
}

function unpack(block: Block): readonly TextOfLead[] {
  return Array.from({ length: sizeOf(block) }, (_, place) => ({
    id: idAt(block, place),
    text: block.bytes.toString('utf8', block.starts[place], block.starts[place + 1]),
  }))
}

function idsOf(block: Block): string[] {
  return Array.from({ length: sizeOf(block) }, (_, place) => idAt(block, place))
}

function sizeOf({ starts }: Block): number {
  return starts.length - 1
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
