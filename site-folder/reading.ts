/** What each part of the reader knows and adds to, and how it says what to type. */
import type { Language } from '../domain/languages.ts'
import { wasThere } from './earlier-originals.ts'
import { mistake, type Place, type SiteFinding } from './findings.ts'
import type { Inserts } from './inserts.ts'
import type { Kind } from './schema/kinds.ts'
import { didYouMean } from './suggest.ts'
import { isTable, type Node, type Table } from './toml.ts'

/** A text as visitors read it, for the checks before each build and before the launch. */
export interface FoundText extends Place {
  /** The same in every language, such as `landing.hero.headline`. */
  readonly name: string
  readonly language: Language
  readonly text: string
}

export interface Reading {
  /** The file's name in a folder: `en.toml`. */
  readonly file: string
  readonly language: Language
  readonly findings: SiteFinding[]
  readonly texts: FoundText[]
  readonly places: Record<string, Place>
  readonly inserts: Inserts
  /** Where a link by name leads. */
  readonly links: Readonly<Record<string, string | null>>
  /** The questions there are, for records by question. */
  readonly questionIds?: readonly string[]
  /** In which sections a name is known, for a name in the wrong one. */
  readonly sections: () => ReadonlyMap<string, readonly string[]>
  /** English, for facts that other languages don't repeat. */
  readonly english?: Table
  /** Whether something around a value can be hidden with it. */
  readonly canHide?: boolean
}

/** A text that can't be shown, because it inserts something hidden. */
export class Hidden {
  readonly at: Place
  readonly insert: string | null

  constructor(at: Place, insert: string | null) {
    this.at = at
    this.insert = insert
  }
}

export type Path = readonly string[]

export const report = ({ findings }: Reading, at: Place, message: string) => findings.push(mistake(at, message))

export const last = (path: Path) => path.at(-1) ?? 'the file'
export const sectionOf = (path: Path) => path.slice(0, -1).join('.')
export const inSection = (path: Path) => (path.length > 1 ? ` in [${sectionOf(path)}]` : '')

export function wrong<Value>(node: Node, path: Path, reading: Reading, problem: string, instead: Value): Value {
  report(reading, node.at, `${last(path)}${inSection(path)} ${problem}`)
  return instead
}

export function emptyOf({ shape }: Kind<unknown>): unknown {
  if (shape.is === 'text') return shape.links === 'only' ? { text: '', href: '' } : ''
  if (shape.is === 'number') return 0
  if (shape.is === 'boolean') return false
  if (shape.is === 'list' || shape.is === 'items') return []
  // So that code that reads on finds what it looks for.
  if (shape.is === 'group')
    return Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, emptyOf(field)]))
  if (shape.is === 'record' && Array.isArray(shape.names) && !shape.item.optional)
    return Object.fromEntries(shape.names.map(name => [name, emptyOf(shape.item)]))
  return shape.is === 'record' ? {} : null
}

export function missing(kind: Kind<unknown>, path: Path, reading: Reading): unknown {
  if (kind.optional) return undefined
  const { shape } = kind
  if (shape.is === 'items') return []
  if (shape.is === 'record' && (shape.names === null || shape.item.optional)) return {}
  if (shape.is === 'text' && !shape.required) return kind.canHide ? null : ''
  const at = parentPlace(path, reading)
  const item = path.at(-2)
  const known = Object.keys(reading.places)
    .map(key => key.slice(reading.file.length + 1).split('.'))
    .filter(names => names.length === path.length - 1 && names.slice(0, -1).join('.') === path.slice(0, -2).join('.'))
    .map(names => names.at(-1) ?? '')
    .filter(name => name !== item)
  const meant = item === undefined ? '' : didYouMean(item, known, name => `[${[...path.slice(0, -2), name].join('.')}]`)
  report(reading, at, `[${sectionOf(path)}] needs ${last(path)}: ${example(kind, last(path))}${meant}`)
  return emptyOf(kind)
}

function parentPlace(path: Path, { places, file }: Reading): Place {
  for (let length = path.length - 1; length > 0; length--) {
    const found = places[`${file} ${path.slice(0, length).join('.')}`]
    if (found?.file) return found
  }
  return { file, line: null }
}

export function example({ shape }: Kind<unknown>, name: string): string {
  switch (shape.is) {
    case 'number':
      return `${name} = 55`
    case 'boolean':
      return `${name} = true`
    case 'list':
      return `${name} = ["…", "…"]`
    case 'record':
      return (shape.names === null || shape.names === 'questions' ? ['name'] : shape.names)
        .map(each => `${name}.${each} = "…"`)
        .join(', ')
    case 'text':
      return shape.links === 'only' ? `${name} = "[Text](https://…)"` : `${name} = "…"`
    case 'group':
      return `${name} = { ${Object.entries(shape.fields)
        .map(([each, field]) => example(field, each))
        .join(', ')} }`
    default:
      return `[${name}]`
  }
}

/** A text that an upgrade removed doesn't keep the site from being published. */
export function reportUnknown(child: Node, name: string, path: Path, known: readonly string[], reading: Reading): void {
  const whole = [...path, name].join('.')
  if (wasThere(reading.file, whole))
    reading.findings.push({
      ...child.at,
      level: 'note',
      message: `This version has no ${whole} anymore, so it isn’t shown. Delete it here.`,
    })
  else report(reading, child.at, unknownKey(name, path, known, reading, isTable(child.value)))
}

function unknownKey(name: string, path: Path, known: readonly string[], reading: Reading, isSection: boolean): string {
  const where = path.length === 0 ? '' : ` in [${path.join('.')}]`
  const meant = didYouMean(name, known)
  if (meant) return `There is no ${name}${where}.${meant}`
  const places = (reading.sections().get(name) ?? []).slice(0, 3)
  // A name at the top of another file is known by that file.
  const sections = places
    .filter(place => /^(?:\[[^…]*\])?$/.test(place))
    .map(place => `[${place.slice(1, -1)}${place === '' ? '' : '.'}${name}]`)
  if (isSection && sections.length > 0) return `There is no ${name}${where}. Its section is ${sections.join(' or ')}.`
  const elsewhere = places.map(section =>
    section === '' ? 'at the top of the file, before the first [section]' : `in ${section}`,
  )
  if (elsewhere.length > 0) return `There is no ${name}${where}. It belongs ${elsewhere.join(' or ')}.`
  return `There is no ${name}${where}. These are known: ${known.join(', ')}.`
}
