/** Reads a TOML file into plain values that know their line. Says what to type instead of what a parser expected. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import { mistake, type Place, type SiteFinding } from './findings.ts'

export type Leaf = string | number | boolean

export interface Node {
  readonly at: Place
  readonly value: Leaf | readonly Node[] | Table
}

/** Without a prototype, so that no key, such as `constructor`, is found that nobody wrote. */
export type Table = { [key: string]: Node }

export const isTable = (value: Node['value']): value is Table => typeof value === 'object' && !Array.isArray(value)

export const emptyTable = (): Table => Object.create(null)

/** Empty if there is none. */
export function tableIn(table: Table, name: string): Table {
  const value = table[name]?.value
  return value !== undefined && isTable(value) ? value : emptyTable()
}

/** What a name has, without its line. */
export type Original = Leaf | readonly string[]

/** What else is in a list, such as a section, is told where the list is read. */
export const itemsIn = (list: readonly Node[]): readonly string[] =>
  list.flatMap(({ value }) => (typeof value === 'object' ? [] : `${value}`))

/** Every value by its whole name, such as `landing.hero.headline`. */
export function leavesOf(table: Table, path = ''): ReadonlyMap<string, Original> {
  const leaves = new Map<string, Original>()
  for (const [name, { value }] of Object.entries(table)) {
    const inside = isTable(value) ? leavesOf(value, `${path}${name}.`) : []
    for (const [key, leaf] of inside) leaves.set(key, leaf)
    if (!isTable(value)) leaves.set(path + name, typeof value === 'object' ? itemsIn(value) : value)
  }
  return leaves
}

interface Source {
  readonly file: string
  readonly text: string
}

const MOST_ERRORS = 20
const OPEN_SECTION = /^\s*\[[^\]]*$/
/** As in TOML, without brackets, or as in YAML. */
const SECTION = /^\s*(?:\[|[\w-]+(?:\.[\w-]+)+\s*$|[\w.-]+\s*:\s*$)/

/** All errors of the syntax, not only the first: a line that can't be read is left out, and the rest is read again. */
export function readToml({ file, text }: Source): { readonly table: Table; readonly findings: readonly SiteFinding[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const findings: SiteFinding[] = []
  for (const [index, line] of lines.entries()) {
    if (!/^\s*\[\[/.test(line)) continue
    lines[index] = sectionMeant(line)
    findings.push(
      mistake({ file, line: index + 1 }, `A section’s name has one bracket on each side: ${sectionMeant(line)}`),
    )
  }
  for (;;) {
    try {
      const { body } = parseTOML(lines.join('\n'), { tomlVersion: '1.1' })
      return { table: tableOf(body[0].body, file, findings), findings }
    } catch (error) {
      if (error instanceof RangeError) {
        const message = 'A text in this file is too long, or something in it is nested too deeply. Shorten it.'
        return { table: emptyTable(), findings: [...findings, mistake({ file, line: null }, message)] }
      }
      if (!(error instanceof ParseError)) throw error
      const line = lineOf(error, lines)
      // Long enough for any message, and quick to search.
      const start = (lines[line] ?? '').slice(0, 500)
      findings.push(mistake({ file, line: line + 1 }, messageFor(error, start, lines, line)))
      if (findings.length === MOST_ERRORS || lines[line] === '') return { table: emptyTable(), findings }
      // What follows belongs to a section with this name.
      const isSection = SECTION.test(lines[line] ?? '') && !error.message.startsWith('Defining')
      lines[line] = isSection ? sectionMeant(lines[line] ?? '') : ''
    }
  }
}

/** A missing bracket is noticed one line later. */
function lineOf({ message, lineNumber }: ParseError, lines: readonly string[]): number {
  const line = Math.min(lineNumber, lines.length) - 1
  const before = lines[line - 1] ?? ''
  const isLate =
    line > 0 && message.startsWith('The key, equals sign') && (OPEN_SECTION.test(before) || BARE_NAME.test(before))
  return isLate ? line - 1 : line
}

/** As it should be: `[pages.for-veterans]`, or `[accepted."figure_expired:averageBenefit"]`. */
function sectionMeant(line: string): string {
  const name = line
    .trim()
    .replace(/^\[+\s*/, '')
    .replace(/\s*\]*$/, '')
  const [, quoted, code = ''] = /^(accepted|texts)\.(.*)$/.exec(name) ?? []
  if (quoted) return `[${quoted}."${code.replaceAll('"', '')}"]`
  return `[${name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/(?<=^|\.)-+|-+(?=\.|$)/g, '')}]`
}

const BARE_NAME = /^\s*[\w-]+(?:\.[\w-]+)*\s*$/
/** As from a web page or a word processor. */
const ODD_SPACE = /^[^"']*[\u00A0\u2000-\u200F\u202F\u2060\u3000\uFEFF]/
const OPEN_TEXT = /=\s*"(?:[^"\\]|\\.)*$/

function messageFor({ message }: ParseError, line: string, lines: readonly string[], at: number): string {
  const [, key = '', value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
  if (ODD_SPACE.test(line))
    return 'An invisible character was pasted into this line, before the text. Type the line again.'
  if (BARE_NAME.test(line) && line.includes('.')) return `A section’s name is in brackets: ${sectionMeant(line)}`
  if (OPEN_SECTION.test(line)) return `A section’s name ends with a bracket: ${sectionMeant(line)}`
  if (/^\s*\[/.test(line) && message.startsWith('Defining'))
    return `${line.trim()} is here twice, or is already a value. Put everything for it in one place.`
  if (message.startsWith('Defining')) return `${key || line.trim()} is here twice. Keep one of them.`
  if (/[“”„‟‘’]/.test(value.charAt(0)))
    return `Use straight quotes around a text: ${key} = "${value.replaceAll(/^[“”„‟‘’]|[“”„‟‘’]$/g, '')}"`
  if (/^\s*\[.*\]\s*$/.test(line) && key === '')
    return `A section’s name has only letters, digits, and dashes, or it’s in quotes: ${sectionMeant(line)}`
  if (key === '' && /^\s*"/.test(line)) return `Put a comma after the text before this one: ${line.trim()}`
  if (key === '' && /^\s*\/\//.test(line)) return `A line for you starts with #: ${line.trim().replace(/^\/+/, '#')}`
  if (key === '' && /^\s*[\w.-]+\s*:\s*$/.test(line)) return `A section’s name is in brackets: ${sectionMeant(line)}`
  if (key === '' && /^\s*[\w.-]+\s*:/.test(line))
    return `Use = instead of a colon: ${line.trim().replace(/\s*:\s*/, ' = ')}`
  if (key === '') return `Expected a name, =, and a value, such as headline = "…", but found: ${line.trim()}`
  if (!/^(?:[\w-]+|"[^"]*")(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*$/.test(key))
    return `A name has only letters, digits, and dashes, but this one is: ${key}`
  if (value === '' || value.startsWith('#'))
    return value === ''
      ? `${key} has no value. Type ${key} = "…"${key.endsWith('show') ? '' : ', or delete the line.'}`
      : `${key} needs quotes: ${key} = "${value}"`
  if (message.startsWith('Invalid character in escape') || message.startsWith('Invalid code point'))
    return `In a text in double quotes, a backslash is written twice: \\\\. Or use single quotes around the text.`
  if (/^"[^"]*”$/.test(value)) return `Use straight quotes around a text: ${key} = "${value.slice(1, -1)}"`
  const [, only, mark] = /^("(?:[^"\\]|\\.)*")\s*([,;]+)$/.exec(value) ?? []
  if (mark) return `Leave out ${mark} at the end: ${key} = ${only}`
  if (OPEN_TEXT.test(line) && !value.startsWith('"""'))
    return `${key} has no closing quote: put " at the end of the line.`
  if (value.startsWith('"""') || value.startsWith("'''")) return `${key} has no closing ${value.slice(0, 3)}.`
  if (/^['`][^"]*['`]$/.test(value)) return `Use double quotes around a text: ${key} = "${value.slice(1, -1)}"`
  if (value.startsWith('"') || value.startsWith("'"))
    return `The text of ${key} ends at its second ${value.charAt(0)}. For quotes inside a text, use curly ones (“…”), or three around it: ${key} = """…"""`
  if (value.startsWith('[')) return `The list of ${key} isn’t complete: ${key} = ["…", "…"]`
  if (value.startsWith('{')) return `Expected ${key} = { name = "…", other = "…" } on one line.`
  if (value === 'null')
    return 'There is no null. Delete the line for the original, or hide a section with show = false under its name.'
  // The answers of questions are texts.
  if (/^(?:true|false|yes|no|on|off)$/i.test(value) && key !== 'required')
    return `Expected ${key} = ${/^(?:true|yes|on)$/i.test(value) ? 'true' : 'false'}, in lowercase and without quotes.`
  if (/^\d{4}-\d\d?-\d\d?$/.test(value))
    return `${key} is a date that doesn’t exist: ${value}. Type a date such as "2026-12-31".`
  // The value may go on: a text over several lines needs three quotes.
  if (at > 0 && /^\s*"/.test(lines[at - 1] ?? '')) return `A text over several lines needs three quotes: """…"""`
  return `${key} needs quotes: ${key} = "${value.replaceAll('"', '')}"`
}

/** Adds to `findings`. */
function tableOf(
  body: AST.TOMLTopLevelTable['body'] | AST.TOMLKeyValue[],
  file: string,
  findings: SiteFinding[],
): Table {
  const table = emptyTable()
  for (const { key, ...entry } of body) {
    const at = { file, line: key.loc.start.line }
    const names = key.keys.map(each => (each.type === 'TOMLBare' ? each.name : each.value))
    // Each object in JavaScript has a `constructor`: it would be found where nobody wrote it.
    const taken = names.find(name => name in Object.prototype)
    if (taken !== undefined) findings.push(mistake(at, `${taken} can’t be a name. Choose another.`))
    else if (entry.type === 'TOMLKeyValue') put(table, names, readValue(entry.value, file, findings))
    else put(table, names, { at, value: tableOf(entry.body, file, findings) })
  }
  return table
}

/** `names`: of the sections around it, and its own. */
function put(table: Table, [name = '', ...inside]: readonly string[], node: Node): void {
  const there = table[name]
  if (inside.length > 0) {
    const section = there ?? { at: node.at, value: emptyTable() }
    table[name] = section
    put(section.value as Table, inside, node)
  }
  // [a.b] before [a]
  else if (there && isTable(there.value) && isTable(node.value)) Object.assign(there.value, node.value)
  else table[name] = node
}

function readValue(node: AST.TOMLContentNode, file: string, findings: SiteFinding[]): Node {
  const at = { file, line: node.loc.start.line }
  if (node.type === 'TOMLArray') return { at, value: node.elements.map(each => readValue(each, file, findings)) }
  if (node.type === 'TOMLInlineTable') return { at, value: tableOf(node.body, file, findings) }
  // A date without quotes is a date, too.
  return { at, value: 'datetime' in node ? node.datetime : node.value }
}
