/** Reads a file of phone numbers and email addresses: one in a line, as `--list` prints them, or a table whose columns are named. */
import { type DoNotCall, parseDoNotCall } from '../../domain/do-not-call/do-not-call.ts'
import { readTable } from '../../domain/text/table-cells.ts'

export interface ContactFile {
  readonly contacts: readonly DoNotCall[]
  /** Counted from 1, as editors and spreadsheets do. */
  readonly unreadable: readonly number[]
}

/** Names of the columns that are read. The others may hold anything. */
const COLUMN = /mail|correo|phone|mobile|cell|tel|number/i

/**
 * In a table without names, each cell has to be a contact: in `Ann,212555018` nothing says that a digit is missing. With names, a # is
 * text, as in `Apt #4`, and each row has a cell for each name. A row with nothing to read is unreadable, too, so nobody is left out silently.
 */
export function readContactFile(text: string): ContactFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const cellsOf = (line: string, hasComments: boolean) =>
    readTable(line, { separators: ',;\t', hasComments }).rows[0] ?? []
  const rowsOf = (hasComments: boolean) => lines.map(line => cellsOf(line, hasComments))
  const withComments = rowsOf(true)
  const first = withComments.findIndex(cells => cells.length > 0)
  const names = withComments[first] ?? []
  const isNamed = names.some(name => COLUMN.test(name)) && names.every(name => !/[\d@]/.test(name))
  const rows = isNamed ? rowsOf(false) : withComments
  const contacts: DoNotCall[] = []
  const unreadable: number[] = []
  for (const [index, cells] of rows.entries()) {
    if (cells.length === 0 || (isNamed && index <= first)) continue
    const given = cells.filter((cell, column) => cell !== '' && (!isNamed || COLUMN.test(names[column] ?? '')))
    const read = given.map(parseDoNotCall)
    contacts.push(...read.filter(contact => contact !== null))
    const isWhole = !isNamed || cells.length === names.length
    if (!isWhole || read.length === 0 || read.includes(null)) unreadable.push(index + 1)
  }
  return { contacts, unreadable }
}
