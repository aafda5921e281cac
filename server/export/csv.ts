/** CSV as RFC 4180 has it, made safe for spreadsheets: no cell is run as a formula. */

import { plain } from './plain-text.ts'

/** Makes Excel read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * A cell that begins like a formula is run by a spreadsheet, so it gets an apostrophe in front. A separator or a line break
 * may begin a cell as well: a spreadsheet that separates by semicolons finds our quotes in the middle of its cells, where
 * they are none. It then takes a doubled quote behind its separator for an empty quotation, and drops it.
 */
const FORMULA_START = /(?<=^|[,;\t\r\n])(?=(?:[\s"]|\p{Default_Ignorable_Code_Point})*[=+\-@\t\r＝＋－＠])/gu

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Most cells have nothing of this, and a million leads have twenty million cells. */
const NEEDS_CARE = /[^ -~]|^\s*[=+\-@]|[",;]/

/** Separators and line breaks are a cell's own: quotes keep them there. */
const withoutUnseen = (text: string) => text.replaceAll(/[^\t\r\n]+/g, plain)

function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  if (!NEEDS_CARE.test(text)) return text
  const harmless = withoutUnseen(text).replace(FORMULA_START, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
