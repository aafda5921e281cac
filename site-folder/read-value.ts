/**
 * Reads what a file has for one kind of value: checks it, fills in its texts, and says what to type where something is wrong. Goes on after
 * an error, so that all of them are reported at once.
 */
import { fillIn } from './inserts.ts'
import { readText } from './read-text.ts'
import {
  emptyOf,
  example,
  Hidden,
  inSection,
  last,
  missing,
  type Path,
  type Reading,
  report,
  reportUnknown,
  wrong,
} from './reading.ts'
import { group, type Kind, type Shape, type ValuesOf } from './schema/kinds.ts'
import { didYouMean } from './suggest.ts'
import { emptyTable, isTable, type Node, type Table } from './toml.ts'

/** All fields of a file. */
export function readFile<Fields extends Readonly<Record<string, Kind<unknown>>>>(
  fields: Fields,
  table: Table,
  reading: Reading,
): ValuesOf<Fields> {
  return read(group(fields), { at: { file: reading.file, line: null }, value: table }, [], reading) as never
}

/** One section of a file. */
export const readSection = <Value>(name: string, kind: Kind<Value>, table: Table, reading: Reading) =>
  read(kind, table[name], [name], reading) as Value

function read(kind: Kind<unknown>, node: Node | undefined, path: Path, around: Reading): unknown {
  const { shape } = kind
  const reading = kind.canHide || kind.optional ? { ...around, canHide: true } : around
  const found = node ?? (kind.fact && reading.english ? nodeAt(reading.english, path) : undefined)
  if (found === undefined) return missing(kind, path, reading)
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
      return readItems(shape, found, path, reading, tableOf(found))
    case 'record':
      return readRecord(shape, found, path, reading)
  }
}

function nodeAt(table: Table, path: Path): Node | undefined {
  let node: Node | undefined = { at: { file: '', line: null }, value: table }
  for (const name of path) node = node && isTable(node.value) ? node.value[name] : undefined
  return node
}

function readList(node: Node, path: Path, reading: Reading): readonly string[] {
  const { value } = node
  const isList =
    Array.isArray(value) && value.every(({ value: each }) => typeof each === 'string' && each.trim() !== '')
  if (!isList) return wrong(node, path, reading, `must be a list of texts: ${last(path)} = ["…", "…"]`, [])
  return value.map(each => fillIn(`${each.value}`, reading.inserts).text)
}

const tableOf = ({ value }: Node): Table => (isTable(value) ? value : emptyTable())

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
  if (!show) return new Hidden(node.at, null)
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
        reading.findings.push({
          ...value.at,
          level: 'note',
          message: `[${path.join('.')}] is hidden, because its ${name} inserts {${value.insert}}, which is hidden.`,
        })
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
    const languages = item.optional
      ? `a language: ${english}, and ${spanish} if there is one in Spanish`
      : `a text for each language: ${english}, ${spanish}`
    return wrong(node, path, reading, `needs ${languages}`, instead())
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
