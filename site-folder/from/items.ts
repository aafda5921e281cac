/** Finds out which original each item of an edited list was, because lists had no names. */
import type { Original } from '../toml.ts'

/** Null: there is none, or it's hidden. */
export type Value = Original | null

type Item = ReadonlyMap<string, Value>

interface Named {
  /** By position. Undefined: left out. */
  readonly names: readonly (string | undefined)[]
  /** Null: as in the original. */
  readonly order: readonly string[] | null
}

/** `edited`: null is a hidden item. `inEnglish`: the names of the same list there, for new items. */
export function nameItems(
  edited: readonly (Item | null)[],
  originals: ReadonlyMap<string, Item>,
  inEnglish: readonly (string | undefined)[] = [],
): Named {
  const names: (string | undefined)[] = edited.map(() => undefined)
  const left = new Map(originals)
  const take = (index: number, name: string | undefined) => {
    if (name === undefined || !left.delete(name)) return
    names[index] = name
  }
  const search = (matches: (item: Item, original: Item) => boolean) => {
    for (const [index, item] of edited.entries()) {
      if (item === null || names[index] !== undefined) continue
      take(index, [...left].find(([, original]) => matches(item, original))?.[0])
    }
  }
  search((item, original) => textOf(item) === textOf(original))
  search((item, original) => labelOf(item) !== '' && labelOf(item) === labelOf(original))
  search((item, original) => alike(item, original) > 0.5)
  if (edited.length === originals.size) {
    const positions = [...originals.keys()]
    for (const index of edited.keys()) if (names[index] === undefined) take(index, positions[index])
  }
  const taken = new Set<string | undefined>([...originals.keys()])
  for (const [index, item] of edited.entries()) {
    const same = taken.has(inEnglish[index]) ? undefined : inEnglish[index]
    if (item !== null) names[index] ??= same ?? newName(item, taken)
    taken.add(names[index])
  }
  const listed = names.filter(name => name !== undefined)
  const isSame = listed.join() === [...originals.keys()].join()
  const shown = names.filter((name, index) => name !== undefined && edited[index] !== null) as string[]
  return { names, order: isSame || originals.size === 0 ? null : shown }
}

const textOf = (item: Item) => JSON.stringify([...item].filter(([, value]) => value !== null).sort())

/** A name, a title, or a question says which item it is, even if the rest is new. */
const labelOf = (item: Item) => String(item.get('name') ?? item.get('title') ?? item.get('question') ?? '')

const wordsOf = (item: Item) =>
  new Set(
    [...item.values()]
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? [],
  )

/** The share of words that both have. */
function alike(item: Item, original: Item): number {
  const [one, other] = [wordsOf(item), wordsOf(original)]
  return [...one].filter(word => other.has(word)).length / Math.max(one.size, other.size, 1)
}

function newName(item: Item, taken: ReadonlySet<string | undefined>): string {
  const label = labelOf(item) || [...item.values()].find(value => typeof value === 'string') || 'new'
  const plain = String(label).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const name = (plain.match(/[a-z\d]+/g) ?? ['new']).slice(0, 4).join('-')
  let number = 2
  let free = name
  while (taken.has(free)) free = `${name}-${number++}`
  return free
}
