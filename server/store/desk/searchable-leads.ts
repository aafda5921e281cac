/**
 * What leads are searched by, read a few thousand at a time. They come as one text: to take that apart costs a third of what so many
 * rows do, and while many leads come in, all of them are read beside the captures.
 */

import { text, textOrNull } from '../rows.ts'
import type { SearchableLead } from '../search/search-text.ts'
import type { Row, Sql, Value } from '../sql.ts'

export const searched = 'id, first_name, last_name, email, phone'

/** Between the columns, and between the leads: control characters, which no lead has in it (see domain/lead.ts). */
const [COLUMN, LINE] = ['\x1f', '\x1e']
const COLUMNS = 4
const ID_LENGTH = 36

/** `rows`: a statement that gives what is searched, with these parameters. */
export async function readSearchable(
  read: Sql,
  rows: string,
  parameters: readonly Value[],
): Promise<readonly SearchableLead[]> {
  const parameter = (place: number) => `CAST($${parameters.length + place} AS TEXT)`
  const columns = ['first_name', 'last_name', 'email', 'phone'].map(column => `coalesce(${column}, '')`)
  const [row] = await read(
    // The ids apart: whoever keeps one keeps the text from which it was cut, and must not keep the names of others with it.
    `SELECT string_agg(id, '') AS ids, string_agg(${columns.join(` || ${parameter(1)} || `)}, ${parameter(2)}) AS lines
       FROM (${rows}) AS found`,
    [...parameters, COLUMN, LINE],
  )
  if (!row || row['ids'] === null) return []
  // Somebody has written into the store by hand.
  return takeApart(text(row, 'ids'), text(row, 'lines')) ?? (await read(rows, parameters)).map(searchableLead)
}

export function searchableLead(row: Row): SearchableLead {
  return {
    id: text(row, 'id'),
    firstName: textOrNull(row, 'first_name'),
    lastName: textOrNull(row, 'last_name'),
    email: textOrNull(row, 'email'),
    phone: textOrNull(row, 'phone'),
  }
}

/** Null when it does not come apart as it was put together. */
function takeApart(ids: string, lines: string): readonly SearchableLead[] | null {
  const leads: SearchableLead[] = []
  for (const line of lines.split(LINE)) {
    const columns = line.split(COLUMN)
    if (columns.length !== COLUMNS) return null
    const [firstName = '', lastName = '', email = '', phone = ''] = columns
    const start = leads.length * ID_LENGTH
    leads.push({
      id: ids.slice(start, start + ID_LENGTH),
      // An erased lead has none.
      firstName: firstName || null,
      lastName: lastName || null,
      email: email || null,
      phone: phone || null,
    })
  }
  return leads.length * ID_LENGTH === ids.length ? leads : null
}
