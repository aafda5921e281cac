/** How the operator names a lead: by its id, or by so much of its beginning that no other lead is meant. */
import type { Store } from '../../server/store/store.ts'
import { Failure, Misuse } from '../failure.ts'

const SHORTEST = 8
const MOST_NAMED = 4
const LEAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/

/** The id as it stands in the store. */
export async function leadIdIn(store: Store, typed: string): Promise<string> {
  const beginning = readLeadId(typed)
  const ids = await store.idsBeginningWith({ beginning, limit: MOST_NAMED + 1 })
  const [id] = ids
  if (id === undefined) throw noSuchLead(beginning)
  if (ids.length === 1) return id
  const named = ids.length > MOST_NAMED ? [...ids.slice(0, MOST_NAMED), '…'] : ids
  throw new Failure(`Several leads begin with ${beginning}: type more of the id. They are ${named.join(', ')}`)
}

/** Checks the form alone, so that a slip is told before anything is opened. */
export function readLeadId(typed: string): string {
  const id = typed.trim().toLowerCase()
  if (BEGINNING.test(id)) return id
  throw new Misuse(
    `That is not the id of a lead, or fewer than ${SHORTEST} characters of it. Ids are shown by npm run leads -- list`,
  )
}

export function noSuchLead(id: string): Failure {
  return new Failure(LEAD_ID.test(id) ? `There is no lead ${id}.` : `No lead begins with ${id}.`)
}

/** The ids as short as they may be for all of them to differ. They begin with the time, so those of one minute need more. */
export function shortened(ids: readonly string[]): readonly string[] {
  let length = SHORTEST
  while (new Set(ids.map(id => id.slice(0, length))).size < new Set(ids).size) length++
  return ids.map(id => id.slice(0, length))
}
