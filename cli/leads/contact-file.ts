/** Reads a file of phone numbers and email addresses: one in a line, as `--list` prints them, or a table whose columns are named. */
import { type DoNotCall, parseDoNotCall } from '../../domain/do-not-call.ts'
import { cellsOf } from '../../domain/table-cells.ts'

export interface ContactFile {
  readonly contacts: readonly DoNotCall[]
  /** Counted from 1, as editors and spreadsheets do. */
  readonly unreadable: readonly number[]
}

/** Names of the columns that are read. The others may hold anything. */
const COLUMN = /mail|correo|phone|mobile|cell|tel|number/i

/**
 * In a table without names, each cell has to be a contact: in `Ann,212555018` nothing says that a digit is missing. A row with nothing
 * to read is unreadable, too, so nobody is left out silently.
 */
export function readContactFile(text: string): ContactFile {
  const rows = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    // An address may contain a #.
    .map(line => cellsOf(line, { separators: ',;\t', hasComments: true }))
  const first = rows.findIndex(cells => cells.length > 0)
  const names = rows[first] ?? []
  const isNamed = names.some(name => COLUMN.test(name)) && names.every(name => !/[\d@]/.test(name))
  const contacts: DoNotCall[] = []
  const unreadable: number[] = []
  for (const [index, cells] of rows.entries()) {
    if (cells.length === 0 || (isNamed && index === first)) continue
    const given = cells.filter((cell, column) => cell !== '' && (!isNamed || COLUMN.test(names[column] ?? '')))
    const read = given.map(parseDoNotCall)
    contacts.push(...read.filter(contact => contact !== null))
    if (read.length === 0 || read.includes(null)) unreadable.push(index + 1)
  }
  return { contacts, unreadable }
}
