/** Writes values as a file of a folder. */
import type { Original } from './toml.ts'

/** `values`: by whole name, such as `landing.hero.headline`. */
export function writeToml(values: ReadonlyMap<string, Original>): string {
  const sections = Map.groupBy(values, ([name]) => namesIn(name).slice(0, -1).join('.'))
  // What belongs to the whole file comes first.
  const sorted = [...sections].sort(([one], [other]) => Number(one !== '') - Number(other !== ''))
  return sorted
    .map(([section, entries]) => {
      const lines = entries.map(([name, value]) => `${namesIn(name).at(-1)} = ${written(value)}\n`)
      return `${section === '' ? '' : `\n[${section}]\n`}${lines.join('')}`
    })
    .join('')
}

/** A name in quotes can have dots. */
const namesIn = (name: string) => name.match(/"[^"]*"|[^."]+/g) ?? []

const written = (value: Original): string =>
  typeof value === 'object' ? `[${value.map(each => JSON.stringify(each)).join(', ')}]` : JSON.stringify(value)
