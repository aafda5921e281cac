/** What the desk asks of the store beyond what the server and its commands do; made once for both engines. */
import type { SqlPort } from '../sql.ts'
import { createFacts, type DeskFactsStore } from './facts-store.ts'
import { createFigures } from './figures.ts'
import { createFinding } from './finding.ts'
import { createJobs } from './jobs.ts'
import { createLeadContacts } from './lead-contacts.ts'
import type { DeskLeadsStore } from './leads-store.ts'
import { createLooksAndNotes } from './looks-and-notes.ts'
import { createPasskeys } from './passkeys.ts'
import { createPeople } from './people.ts'
import type { DeskPeopleStore } from './people-store.ts'
import { createSessions } from './sessions.ts'

export interface DeskStore extends DeskPeopleStore, DeskLeadsStore, DeskFactsStore {}

export function createDeskStore(port: SqlPort): DeskStore {
  const people = { ...createPeople(port), ...createPasskeys(port), ...createSessions(port) }
  const leads = { ...createFinding(port), ...createLooksAndNotes(port), ...createLeadContacts(port) }
  return { ...people, ...leads, ...createFigures(port), ...createJobs(port), ...createFacts(port) }
}
