/** What exports of leads and of calls share: CSV that spreadsheets read as plain text, and times in UTC. */
import { plain } from './plain-text.ts'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Makes Excel read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Spreadsheets run cells that look like formulas, so we put an apostrophe in front. We do the same after a separator or line
 * break: if a spreadsheet splits at semicolons, our quotes end up in the middle of a cell and don't protect anything.
 */
function escapeFormulas(text: string): string {
  if (!FORMULA.test(text)) return text
  const characters = [...text]
  const escaped: string[] = []
  // From the end: whether only blanks come before a formula's first character. A pattern would look for it from each of them.
  let leadsToFormula = false
  for (let index = characters.length - 1; index >= 0; index--) {
    const character = characters[index] as string
    leadsToFormula = FORMULA.test(character) || (leadsToFormula && BLANK.test(character))
    escaped.push(character)
    if (leadsToFormula && CELL_END.test(characters[index - 1] ?? ',')) escaped.push("'")
  }
  return escaped.reverse().join('')
}

const FORMULA = /[=+\-@\t\r＝＋－＠]/
const BLANK = /[\s"]|\p{Default_Ignorable_Code_Point}/u
const CELL_END = /[,;\t\r\n]/

const readable: Readonly<Record<string, string>> = {
  id: 'ID',
  leadId: 'Lead ID',
  clientAddress: 'IP address',
  userAgent: 'Browser',
  certificateUrl: 'Certificate',
  trustedForm: 'TrustedForm',
  clientOn: 'Became a client on',
}

/** A column's heading for people: `receivedAt` is "Received at". */
export function heading(column: string): string {
  const words = column.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return readable[column] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A shortcut: most cells have none of these, and a million leads have 20 million cells. */
const NEEDS_ESCAPING = /[^ -~]|^\s*[=+\-@]|[",;]/

function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  if (!NEEDS_ESCAPING.test(text)) return text
  // Keeps tabs and line breaks, because the quotes protect them.
  const safe = escapeFormulas(text.replaceAll(/[^\t\r\n]+/g, plain))
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
