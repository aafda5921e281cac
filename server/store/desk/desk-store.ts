/** What the desk asks of the store beyond what the server and its commands do; made once for both engines. */
import { type AccountStore, createAccounts } from '../accounts.ts'
import { type BulkJobStore, createBulkJobs } from '../bulk-jobs.ts'
import { createNotes, type NoteStore } from '../notes.ts'
import { createPulse, type PulseStore } from '../pulse.ts'
import type { SqlPort } from '../sql.ts'
import { createFacts, type DeskFactsStore } from './facts-store.ts'
import { createFigures } from './figures.ts'
import type { DeskLeadsStore } from './leads-store.ts'

export interface DeskStore extends AccountStore, NoteStore, BulkJobStore, PulseStore, DeskLeadsStore, DeskFactsStore {}

export function createDeskStore(port: SqlPort): DeskStore {
  const leads = { ...createFigures(port), ...createNotes(port) }
  return { ...createAccounts(port), ...leads, ...createBulkJobs(port), ...createPulse(port), ...createFacts(port) }
}
