/**
 * The original texts of earlier versions, in originals/, and what names they had. With them, a folder still works after an upgrade that
 * renamed or removed a text.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SiteFinding } from './findings.ts'
import { emptyTable, isTable, itemsIn, type Node, type Original, type Table, tableIn } from './toml.ts'

/** `en.toml landing.hero.headline` → its text; `consent.en.md` → a hash. */
export type Originals = ReadonlyMap<string, Original>

export interface Earlier {
  /** Oldest first. */
  readonly versions: ReadonlyMap<string, Originals>
  /** A text, or a section with all that is in it: the name before, and now. */
  readonly renamed: Readonly<Record<string, string>>
}

const FOLDER = join(import.meta.dirname, 'originals')

const byVersion = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true })

/** All versions that this program has. */
export const earlier: Earlier = {
  versions: new Map(
    readdirSync(FOLDER)
      .map(file => basename(file, '.json'))
      .sort(byVersion)
      .map(version => [version, read(version)]),
  ),
  renamed: {
    'contactForm.lastStep': 'questionnaire.lastStep',
  },
}

function read(version: string): Originals {
  const files: Record<string, Record<string, Original> | string> = JSON.parse(
    readFileSync(join(FOLDER, `${version}.json`), 'utf8'),
  )
  const originals = new Map<string, Original>()
  for (const [file, texts] of Object.entries(files)) {
    if (typeof texts === 'string') originals.set(file, texts)
    else for (const [name, text] of Object.entries(texts)) originals.set(`${file} ${name}`, text)
  }
  return originals
}

/** What a text is called now. Campaigns’ pages have the landing page’s names. */
export function nameNow(name: string, renamed: Earlier['renamed'] = earlier.renamed): string {
  const [, page = ''] = /^(pages\.[^.]+)\./.exec(name) ?? []
  if (page !== '') return nameNow(name.replace(page, 'landing'), renamed).replace(/^landing/, page)
  let now = name
  for (const [before, after] of Object.entries(renamed))
    if (now === before || now.startsWith(`${before}.`)) now = after + now.slice(before.length)
  return now
}

export const landingName = (name: string) => name.replace(/^pages\.[^.]+/, 'landing')

/** What the newest version that had this text, or anything in a section of this name, said. */
function last(file: string, name: string, { versions }: Earlier): ReadonlyMap<string, Original> {
  const key = `${file} ${landingName(name)}`
  for (const originals of [...versions.values()].reverse()) {
    const found = [...originals].filter(([each]) => each === key || each.startsWith(`${key}.`))
    if (found.length > 0) return new Map(found.map(([each, value]) => [each.slice(key.length + 1), value]))
  }
  return new Map()
}

/** Whether an earlier version had this text or section. */
export const wasThere = (file: string, name: string): boolean => last(file, name, earlier).size > 0

/**
 * Gives an organization's file today's names. Items of lists that the original doesn't have anymore get what they said before, so that a
 * change to one of them stays on its page.
 */
export function carryOver(file: string, own: Table, original: Table, from: Earlier = earlier): readonly SiteFinding[] {
  const findings: SiteFinding[] = []
  for (const [before, now] of Object.entries(from.renamed)) {
    const inPages = before.startsWith('landing.') ? Object.keys(tableIn(own, 'pages')).map(name => `pages.${name}`) : []
    for (const page of ['landing', ...inPages]) {
      const [old, today] = [before, now].map(name => name.replace(/^landing(?=\.)/, page)) as [string, string]
      const moved = move(own, old.split('.'), today.split('.'))
      if (moved)
        findings.push({
          ...moved.at,
          level: 'note',
          message: `${old} is called ${today} now. Change its name here, too.`,
        })
    }
  }
  restoreItems(file, '', own, original, from)
  return findings
}

function move(table: Table, from: readonly string[], to: readonly string[]): Node | null {
  const [name = ''] = from.slice(-1)
  const parent = from.slice(0, -1).reduce(tableIn, table)
  const node = parent[name]
  const order = parent['order']?.value
  const [nameNowIs = ''] = to.slice(-1)
  if (Array.isArray(order) && from.slice(0, -1).join() === to.slice(0, -1).join())
    parent['order'] = {
      at: parent['order']?.at ?? { file: '', line: null },
      value: order.map(each => (each.value === name ? { ...each, value: nameNowIs } : each)),
    }
  if (node === undefined) return null
  delete parent[name]
  put(table, to, node)
  return node
}

/** What is there stays. */
function put(table: Table, path: readonly string[], node: Node): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    const there = table[name]
    if (!there) table[name] = node
    else if (isTable(there.value) && isTable(node.value))
      for (const [key, each] of Object.entries(node.value)) put(there.value, [key], each)
    return
  }
  table[name] ??= { at: node.at, value: emptyTable() }
  put(tableIn(table, name), rest, node)
}

function restoreItems(file: string, path: string, own: Table, original: Table, from: Earlier): void {
  const order = own['order']?.value
  const listed = Array.isArray(order) ? itemsIn(order) : []
  const sections = Object.keys(own).filter(name => isTable(own[name]?.value ?? ''))
  for (const name of new Set([...sections, ...listed])) {
    if (path === '' && name === 'pages') {
      for (const [page, { value }] of Object.entries(tableIn(own, name)))
        if (isTable(value)) restoreItems(file, `pages.${page}.`, value, tableIn(original, 'landing'), from)
      continue
    }
    if (original[name] === undefined) {
      const at = own[name]?.at ?? own['order']?.at ?? { file, line: null }
      for (const [part, value] of last(file, path + name, from))
        put(own, [name, ...(part === '' ? [] : part.split('.'))], nodeOf(value, at))
    }
    restoreItems(file, `${path}${name}.`, tableIn(own, name), tableIn(original, name), from)
  }
}

const nodeOf = (value: Original, at: Node['at']): Node =>
  typeof value === 'object' ? { at, value: value.map(each => ({ at, value: each })) } : { at, value }
