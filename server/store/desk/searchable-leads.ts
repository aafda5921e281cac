/** What leads are searched by. */

import { readContact, text } from '../rows.ts'
import type { SearchableLead } from '../search/search-text.ts'
import type { Row } from '../sql.ts'

export const searched = 'id, contact'

export function searchableLead(row: Row): SearchableLead {
  const {
    firstName = null,
    lastName = null,
    email = null,
    phone = null,
  } = row['contact'] === null ? {} : readContact(row)
  return { id: text(row, 'id'), firstName, lastName, email, phone }
}
