/**
 * The searchable text of all leads, packed in memory in the order of their ids: 150 bytes a lead. To read through all of
 * it takes some fifty milliseconds for a million; most of that is spared by the index, which knows the blocks that are worth it.
 */
import { type BlockText, createGramIndex, type Needle, needleOf } from './gram-index.ts'
import { ownBytes } from './own-bytes.ts'
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
  /** How many those are, but counted only up to `most`. */
  countFound(search: Search, range: IdRange, most: number): number
  /** The last of all; empty when there is none. */
  readonly lastId: string
}

const LEADS_IN_A_BLOCK = 64
const ID_BYTES = 16

interface Block extends BlockText {
  readonly ids: Buffer
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

  /** The blocks that may have something that is found, in their order. */
  function placesToRead({ idBeginning }: Search, needles: Needles): number[] {
    const places = [...index.blocksWith(needles)]
    if (idBeginning === null) return places
    // The first of them may end before it: an id that is only begun comes before all that begin with it.
    for (let at = placeOf(idBeginning); at < blocks.length; at++) {
      if ((blocks[at] as Block).first.slice(0, idBeginning.length) > idBeginning) break
      places.push(at)
    }
    return inPlace(places)
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
    const block = pack(leads)
    // The old bytes are not left to be collected some day.
    blocks[place]?.bytes.fill(0)
    blocks[place] = block
    index.note(place, block)
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
        count += isWhole(block, range) ? sizeOf(block) : idsOf(block).filter(id => isWithin(range, id)).length
      }
      return count
    },
    *find(search, range, order) {
      const needles = needlesOf(search)
      // As they are now: whoever takes them one by one may have others added meanwhile, and must not meet with some twice.
      const [places, notPacked] = [placesToRead(search, needles), [...open]]
      if (order === 'newest first') {
        places.reverse()
        notPacked.reverse()
        yield* idsAmong(notPacked, search, range)
      }
      for (const place of places) {
        const block = blocks[place] as Block
        if (block.last < range.from || block.first >= range.before) continue
        const found = foundIn(block, search, needles)
        if (order === 'newest first') found.reverse()
        for (const at of found) {
          const id = idAt(block, at)
          if (isWithin(range, id)) yield id
        }
      }
      if (order === 'oldest first') yield* idsAmong(notPacked, search, range)
    },
    countFound(search, range, most) {
      const needles = needlesOf(search)
      let count = idsAmong(open, search, range).length
      for (const place of placesToRead(search, needles)) {
        if (count >= most) break
        const block = blocks[place] as Block
        if (block.last < range.from || block.first >= range.before) continue
        const found = foundIn(block, search, needles)
        count += isWhole(block, range) ? found.length : found.filter(at => isWithin(range, idAt(block, at))).length
      }
      return Math.min(count, most)
    },
    get lastId() {
      return lastId()
    },
  }
}

function inOrder(leads: readonly TextOfLead[]): TextOfLead[] {
  return leads.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Among leads that are not packed. */
function idsAmong(leads: readonly TextOfLead[], search: Search, range: IdRange): readonly string[] {
  return leads.filter(({ id, text }) => isWithin(range, id) && isFoundBy(search, id, text)).map(({ id }) => id)
}

function isWithin({ from, before }: IdRange, id: string): boolean {
  return id >= from && id < before
}

function pack(leads: readonly TextOfLead[]): Block {
  const starts = new Uint32Array(leads.length + 1)
  for (const [place, { text }] of leads.entries()) {
    starts[place + 1] = (starts[place] as number) + Buffer.byteLength(text)
  }
  const bytes = ownBytes(leads.map(({ text }) => text).join(''))
  const ids = Buffer.from(leads.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex')
  // Read back: the ids that were given may be parts of a longer text, which would be kept with them.
  return { ids, bytes, starts, first: idAt({ ids }, 0), last: idAt({ ids }, leads.length - 1) }
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

function isWhole({ first, last }: Block, range: IdRange): boolean {
  return isWithin(range, first) && isWithin(range, last)
}

function mayBegin({ first, last }: Block, idBeginning: string): boolean {
  return first.slice(0, idBeginning.length) <= idBeginning && last >= idBeginning
}

/** The words of a search, each in all its spellings. */
type Needles = readonly (readonly Needle[])[]

function needlesOf({ words }: Search): Needles {
  return words.map(spellings => spellings.map(needleOf))
}

/** Where in a block, in its order. */
function foundIn(block: Block, { idBeginning }: Search, needles: Needles): number[] {
  const byText = withAllWords(block, needles)
  if (idBeginning === null || !mayBegin(block, idBeginning)) return byText
  const byId = idsOf(block).flatMap((id, place) => (id.startsWith(idBeginning) ? [place] : []))
  return inPlace([...byText, ...byId])
}

/** The leads of a block whose text has all words. Plain loops: a search for a few digits reads many blocks. */
function withAllWords({ bytes, starts }: Block, [first = [], ...others]: Needles): number[] {
  const found: number[] = []
  for (const { bytes: needle } of first) {
    let place = 0
    for (let at = bytes.indexOf(needle); at !== -1; ) {
      while ((starts[place + 1] as number) <= at) place++
      const end = starts[place + 1] as number
      // Not one that begins in one lead's text and ends in the next one's.
      if (at + needle.length <= end) {
        if (others.length === 0 || hasAll(bytes.subarray(starts[place], end), others)) found.push(place)
        at = bytes.indexOf(needle, end)
      } else {
        at = bytes.indexOf(needle, at + 1)
      }
    }
  }
  return first.length > 1 ? inPlace(found) : found
}

function hasAll(text: Buffer, words: Needles): boolean {
  return words.every(spellings => spellings.some(word => text.includes(word.bytes)))
}

/** Each once, in their order. */
function inPlace(places: readonly number[]): number[] {
  return [...new Set(places)].sort((a, b) => a - b)
}

function idAt({ ids }: Pick<Block, 'ids'>, place: number): string {
  const hex = ids.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
