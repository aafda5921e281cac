/** What the desk asks of the store beyond what the server and its commands do; made once for both engines. */
import type { SqlPort } from '../sql.ts'
import { createPasskeys } from './passkeys.ts'
import { createPeople } from './people.ts'
import type { DeskPeopleStore } from './people-store.ts'
import { createSessions } from './sessions.ts'

export interface DeskStore extends DeskPeopleStore {}

export function createDeskStore(port: SqlPort): DeskStore {
  return { ...createPeople(port), ...createPasskeys(port), ...createSessions(port) }
}
