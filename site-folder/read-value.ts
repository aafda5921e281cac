/**
 * Reads what a file has for one kind of value: checks it, fills in its texts, and says what to type where something is wrong. Goes on after
 * an error, so that all of them are reported at once.
 */
import { type Language, pathInLanguage } from '../domain/languages.ts'
import { telHref } from '../domain/phone.ts'
import { wasThere } from './earlier-originals.ts'
import { NOT_UTF8 } from './files.ts'
import type { Place, SiteFinding } from './findings.ts'
import { fillIn, type Inserts } from './inserts.ts'
import type { Kind, LinkedText, Shape, TextLink, ValuesOf } from './schema/kinds.ts'
import { didYouMean } from './suggest.ts'
import { invisibleIn, markupIn } from './text-marks.ts'
import { emptyTable, isTable, type Node, type Table } from './toml.ts'

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
  readonly computed: Readonly<Record<string, string | null>>
  /** Where a link by name leads. */
  readonly links: Readonly<Record<string, string | null>>
  /** The questions there are, for records by question. */
  readonly questionIds?: readonly string[]
  /** In which sections a name is known, for a name in the wrong one. */
  readonly sections?: ReadonlyMap<string, readonly string[]>
  /** English, for facts that other languages don't repeat. */
  readonly english?: Table
  /** Whether something around a value can be hidden with it. */
  readonly canHide?: boolean
}

/** A text that can't be shown, because it inserts something hidden. */
class Hidden {
  readonly at: Place
  readonly key: string
  readonly insert: string | null

  constructor(at: Place, key: string, insert: string | null) {
    this.at = at
    this.key = key
    this.insert = insert
  }
}

type Path = readonly string[]

/** All fields of a file. */
export function readFile<Fields extends Readonly<Record<string, Kind<unknown>>>>(
  fields: Fields,
  table: Table,
  reading: Reading,
): ValuesOf<Fields> {
  const root: Kind<unknown> = { shape: { is: 'group', fields } }
  return read(root, { at: { file: reading.file, line: null }, value: table }, [], reading) as never
}

const report = (
  { findings }: Pick<Reading, 'findings'>,
  at: Place,
  message: string,
  level: SiteFinding['level'] = 'error',
) => {
  findings.push({ ...at, level, message })
}

function read(kind: Kind<unknown>, node: Node | undefined, path: Path, around: Reading): unknown {
  const { shape } = kind
  const reading = kind.canHide || kind.optional ? { ...around, canHide: true } : around
  if (shape.is === 'computed') return reading.computed[shape.name] ?? null
  const found = node ?? (kind.fact && reading.english ? nodeAt(reading.english, path) : undefined)
  if (found === undefined)
    return isComputed(kind)
      ? readGroup(shape.is === 'group' ? shape.fields : {}, kind, EMPTY, path, reading)
      : missing(kind, path, reading)
  if (path.length > 0) reading.places[`${reading.file} ${path.join('.')}`] = found.at
  switch (shape.is) {
    case 'text':
      return readText(shape, kind, found, path, reading)
    case 'number':
      return typeof found.value === 'number'
        ? found.value
        : wrong(found, path, reading, `must be a number without quotes: ${last(path)} = 55`, 0)
    case 'boolean':
      return typeof found.value === 'boolean'
        ? found.value
        : wrong(found, path, reading, `must be true or false, without quotes: ${last(path)} = true`, false)
    case 'list':
      return readList(found, path, reading)
    case 'group':
      return readGroup(shape.fields, kind, found, path, reading)
    case 'items':
      return readItems(shape, found, path, reading, entriesOf(found))
    case 'record':
      return readRecord(shape, found, path, reading)
  }
}

const EMPTY: Node = { at: { file: '', line: null }, value: emptyTable() }

/** A section that no file has. */
const isComputed = ({ shape }: Kind<unknown>) =>
  shape.is === 'group' && Object.values(shape.fields).every(field => field.shape.is === 'computed')

const last = (path: Path) => path.at(-1) ?? 'the file'
const sectionOf = (path: Path) => path.slice(0, -1).join('.')
const inSection = (path: Path) => (path.length > 1 ? ` in [${sectionOf(path)}]` : '')

function nodeAt(table: Table, path: Path): Node | undefined {
  let node: Node | undefined = { at: { file: '', line: null }, value: table }
  for (const name of path) node = node && isTable(node.value) ? node.value[name] : undefined
  return node
}

function wrong<Value>(node: Node, path: Path, reading: Reading, problem: string, instead: Value): Value {
  report(reading, node.at, `${last(path)}${inSection(path)} ${problem}`)
  return instead
}

function missing(kind: Kind<unknown>, path: Path, reading: Reading): unknown {
  if (kind.optional) return undefined
  const { shape } = kind
  if (shape.is === 'items') return []
  if (shape.is === 'record' && (shape.names === null || shape.item.optional)) return {}
  if (shape.is === 'text' && !shape.required) return kind.canHide ? null : ''
  const at = parentPlace(path, reading)
  const siblings = reading.places
  const item = path.at(-2)
  const known = Object.keys(siblings)
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

function example({ shape }: Kind<unknown>, name: string): string {
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

function emptyOf({ shape }: Kind<unknown>): unknown {
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

type TextShape = Extract<Shape, { is: 'text' }>

function readText(shape: TextShape, kind: Kind<unknown>, node: Node, path: Path, reading: Reading): unknown {
  const name = last(path)
  const { value } = node
  if (typeof value !== 'string') {
    const problem =
      typeof value === 'number'
        ? `needs quotes: ${name} = "${value}"`
        : value === false && !shape.required
          ? `is hidden with an empty text: ${name} = ""`
          : isTable(value) && value['show'] && (path[0] === 'claims' || path[0] === 'figures')
            ? `is hidden in evidence.toml: [${path.join('.')}] show = false`
            : (shape.check?.('') ?? `must be a text in quotes: ${name} = "…"`)
    return wrong(node, path, reading, problem, emptyOf(kind))
  }
  if (value.includes('\uFFFD')) report(reading, node.at, NOT_UTF8)
  const unfit = invisibleIn(value) ?? markupIn(value)
  if (unfit !== null) report(reading, node.at, `${name}${inSection(path)}: ${unfit}`)
  const written = value.replaceAll(/\s*\n\s*/g, ' ')
  if (written.trim() === '') {
    if (shape.required && !kind.optional) return wrong(node, path, reading, 'can’t be empty.', emptyOf(kind))
    return kind.canHide || kind.optional ? new Hidden(node.at, name, null) : ''
  }
  const { text, hidden, problems } = fillIn(written, reading.inserts, shape.later)
  for (const problem of problems) report(reading, node.at, `${name}${inSection(path)}: ${problem}`)
  if (hidden !== null) {
    if (!shape.required && !kind.canHide) return ''
    if (reading.canHide) return new Hidden(node.at, path.join('.'), hidden)
    const without = `[${sectionOf(path)}] ${name} = "…"`
    return wrong(node, path, reading, `inserts {${hidden}}, which is hidden. Type words without it: ${without}`, '')
  }
  const problem = shape.check?.(text) ?? null
  if (problem !== null) return wrong(node, path, reading, `${problem}`, text)
  const parts = partsOf(text, shape, node, path, reading)
  const shown =
    typeof parts === 'string' ? parts : parts.map(part => (typeof part === 'string' ? part : part.text)).join('')
  reading.texts.push({
    ...node.at,
    name: path.join('.'),
    language: reading.language,
    text: shown.replaceAll(/\s+/g, ' ').trim(),
  })
  return shape.links === 'only' ? (typeof parts === 'string' ? emptyOf(kind) : parts[0]) : parts
}

const LINK = /\[([^\]]+)\]\(([^)\s]*)\)/g
const ADDRESS = /^(?:https:\/\/|mailto:|tel:)\S+$|^[/#](?![/\\])\S*$/

function partsOf(text: string, { links }: TextShape, node: Node, path: Path, reading: Reading): LinkedText {
  const name = last(path)
  const found = [...text.matchAll(LINK)]
  if (links === 'none') {
    if (found.length > 0)
      report(reading, node.at, `${name}${inSection(path)} can’t have links. Leave out ${found[0]?.[0]}.`)
    return text
  }
  if (links === 'only' && (found.length !== 1 || found[0]?.[0] !== text)) {
    report(reading, node.at, `${name}${inSection(path)} must be one link: ${name} = "[Text](https://…)"`)
    return text
  }
  if (found.length === 0) return text
  const parts: (string | TextLink)[] = []
  let end = 0
  for (const { 0: raw, 1: shown = '', 2: target = '', index } of found) {
    if (index > end) parts.push(text.slice(end, index))
    const href = hrefOf(target, node, path, reading)
    parts.push(href === null ? shown : { text: shown, href })
    end = index + raw.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

function hrefOf(target: string, node: Node, path: Path, reading: Reading): string | null {
  if (Object.hasOwn(reading.links, target)) return reading.links[target] ?? null
  if (target === 'stop') return pathInLanguage(reading.language, '/stop')
  if (target === 'phone') return telHref(`${reading.inserts['phone']}`)
  if (ADDRESS.test(target)) return target
  const known = Object.keys(reading.links)
  report(
    reading,
    node.at,
    `${last(path)}${inSection(path)} has a link to “${target}”. A link leads to https://…, to a page of this site such as /stop, or to one of: ${known.join(', ')}.${didYouMean(target, known)}`,
  )
  return null
}

function readList(node: Node, path: Path, reading: Reading): readonly string[] {
  const { value } = node
  const isList =
    Array.isArray(value) && value.every(({ value: each }) => typeof each === 'string' && each.trim() !== '')
  if (!isList) return wrong(node, path, reading, `must be a list of texts: ${last(path)} = ["…", "…"]`, [])
  return value.map(each => fillIn(`${each.value}`, reading.inserts).text)
}

const entriesOf = ({ value }: Node): Table => (isTable(value) ? value : emptyTable())

type Fields = Readonly<Record<string, Kind<unknown>>>

function readGroup(fields: Fields, kind: Kind<unknown>, node: Node, path: Path, reading: Reading): unknown {
  if (!isTable(node.value)) {
    const problem =
      node.value === false && kind.canHide
        ? `is hidden with show = false under [${path.join('.')}]`
        : `is a section: [${path.join('.')}], then ${Object.keys(fields)
            .slice(0, 3)
            .map(name => `${name} = …`)
            .join(', ')}`
    return wrong(node, path, reading, problem, emptyOf(kind))
  }
  const table = node.value
  const show = showIn(table, kind, path, reading)
  if (!show) return new Hidden(node.at, path.join('.'), null)
  // Items are written into the section itself: [landing.faq.decision-time].
  const inline = inlineItems(fields)
  const rest = emptyTable()
  for (const [name, child] of Object.entries(table)) {
    if (name === 'show' || (Object.hasOwn(fields, name) && !(inline && name === 'items'))) continue
    if (inline && (name === 'order' || isTable(child.value))) rest[name] = child
    else reportUnknown(child, name, path, [...Object.keys(fields), ...(kind.canHide ? ['show'] : [])], reading)
  }
  const entries: [string, unknown][] = []
  for (const [name, field] of Object.entries(fields)) {
    const value =
      inline && name === 'items'
        ? readItems(inline, node, path, reading, rest)
        : childValue(field, table[name], [...path, name], reading)
    if (value instanceof Hidden) {
      if (kind.canHide && value.insert !== null && path.length < 3)
        report(
          reading,
          value.at,
          `[${path.join('.')}] is hidden, because its ${name} inserts {${value.insert}}, which is hidden.`,
          'note',
        )
      return value
    }
    if (value !== undefined) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

/** Sections with a list of sections. Misspelled names are never taken for items, because those are sections. */
function inlineItems({ items }: Fields) {
  return items?.shape.is === 'items' && items.shape.item.shape.is === 'group' ? items.shape : null
}

function childValue(field: Kind<unknown>, node: Node | undefined, path: Path, reading: Reading): unknown {
  const value = read(field, node, path, reading)
  if (!(value instanceof Hidden)) return value
  if (field.optional) return undefined
  return field.canHide ? null : value
}

function showIn(table: Table, kind: Kind<unknown>, path: Path, reading: Reading): boolean {
  const show = table['show']
  if (show === undefined) return true
  if (typeof show.value !== 'boolean') {
    report(reading, show.at, `show${inSection([...path, 'show'])} must be true or false, without quotes: show = false`)
    return true
  }
  if (!kind.canHide && !show.value)
    report(reading, show.at, `[${path.join('.')}] can’t be hidden. Delete show = false.`)
  return show.value || !kind.canHide
}

/** A text that an upgrade removed doesn't keep the site from being published. */
function reportUnknown(child: Node, name: string, path: Path, known: readonly string[], reading: Reading): void {
  const whole = [...path, name].join('.')
  if (wasThere(reading.file, whole))
    report(reading, child.at, `This version has no ${whole} anymore, so it isn’t shown. Delete it here.`, 'note')
  else report(reading, child.at, unknownKey(name, path, known, reading))
}

function unknownKey(name: string, path: Path, known: readonly string[], reading: Reading): string {
  const where = path.length === 0 ? '' : ` in [${path.join('.')}]`
  const meant = didYouMean(name, known)
  if (meant) return `There is no ${name}${where}.${meant}`
  const elsewhere = (reading.sections?.get(name) ?? [])
    .slice(0, 3)
    .map(section => (section === '' ? 'at the top of the file, before the first [section]' : `in ${section}`))
  if (elsewhere.length > 0) return `There is no ${name}${where}. It belongs ${elsewhere.join(' or ')}.`
  return `There is no ${name}${where}. These are known: ${known.join(', ')}.`
}

const ITEM_NAME = /^[A-Za-z0-9][A-Za-z0-9-]*$/

function readItems(
  { item, named }: Extract<Shape, { is: 'items' }>,
  node: Node,
  path: Path,
  reading: Reading,
  table: Table,
): readonly unknown[] {
  if (!isTable(node.value))
    return wrong(node, path, reading, `is a section with named parts: [${path.join('.')}.some-name]`, [])
  const names = Object.keys(table).filter(name => name !== 'order' && name !== 'show')
  const order = table['order']
  const chosen = order === undefined ? names : readList(order, [...path, 'order'], reading)
  for (const name of new Set(chosen.filter((each, index) => chosen.indexOf(each) < index)))
    report(reading, order?.at ?? node.at, `order${inSection([...path, 'order'])} lists ${name} twice. Keep one.`)
  for (const name of chosen.filter(each => !names.includes(each)))
    report(
      reading,
      order?.at ?? node.at,
      `order${inSection([...path, 'order'])} lists ${name}, but there is no [${[...path, name].join('.')}].${didYouMean(name, names)}`,
    )
  return chosen.flatMap(name => {
    const child = table[name]
    if (child === undefined) return []
    if (!ITEM_NAME.test(name))
      report(reading, child.at, `A name has only letters, digits, and dashes, but this one is: ${name}`)
    const value = childValue(item, child, [...path, name], reading)
    if (value === null || value === undefined) return []
    return [named ? { id: name, ...(value as object) } : value]
  })
}

/** In the file's order. */
const namesIn = (table: Table, known: readonly string[] | null) =>
  known === null
    ? Object.keys(table)
    : [...new Set([...Object.keys(table).filter(name => known.includes(name)), ...known])]

function readRecord(
  { item, names }: Extract<Shape, { is: 'record' }>,
  node: Node,
  path: Path,
  reading: Reading,
): unknown {
  const known = names === 'questions' ? (reading.questionIds ?? []) : names
  const instead = () => emptyOf({ shape: { is: 'record', item, names } })
  if (
    known?.join() === 'en,es' &&
    !(isTable(node.value) && Object.keys(node.value).some(name => known.includes(name)))
  ) {
    const [english, spanish] = known.map(language => example(item, `${last(path)}.${language}`))
    return wrong(node, path, reading, `needs a text for each language: ${english}, ${spanish}`, instead())
  }
  if (!isTable(node.value)) return wrong(node, path, reading, `is a section: [${path.join('.')}]`, instead())
  const table = node.value
  for (const [name, child] of Object.entries(table)) {
    if (known !== null && !known.includes(name)) reportUnknown(child, name, path, known, reading)
  }
  const entries = namesIn(table, known).map(
    name => [name, childValue(item, table[name], [...path, name], reading)] as const,
  )
  const hidden = entries.find(([, value]) => value instanceof Hidden)
  return hidden ? hidden[1] : Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
