/** Makes a store log, in ERASURE_LIST, the changes that restoring a backup must not undo. carry-over.ts applies them to a restored store. */
import type { createOutcomes } from '../calls/outcomes.ts'
import type { createCrmStops } from '../do-not-call/crm-stops.ts'
import type { DoNotCallStore } from '../do-not-call/do-not-call.ts'
import type { TakeBackStore } from '../do-not-call/take-back.ts'
import { type ErasureStore, keyIdOf } from '../leads/erasure.ts'
import type { createDeskPeople } from '../people/desk-people.ts'
import { StoreUnusable } from '../store-errors.ts'
import type { createCarryOver } from './carry-over.ts'
import {
  type Append,
  appendChanges,
  isLoggable,
  keepNewest,
  type LoggedChange,
  readChanges,
  subjectOf,
} from './erasure-list.ts'

type ChangeStore = { storeTime(): Promise<number> } & Pick<ErasureStore, 'erase' | 'registerKey'> &
  Pick<DoNotCallStore, 'addToDoNotCall'> &
  Pick<ReturnType<typeof createOutcomes>, 'saveCall' | 'undoCall'> &
  Pick<ReturnType<typeof createDeskPeople>, 'removePerson'> &
  Pick<ReturnType<typeof createCrmStops>, 'stopFromCrm'> &
  Pick<TakeBackStore, 'removeFromDoNotCall' | 'undoDoNotCall' | 'takeBackEntries' | 'restoreRemovals'> &
  Pick<ReturnType<typeof createCarryOver>, 'entriesChangedAt'>

/** Makes the store log changes that must survive a restore. */
export function withChangeLog<S extends ChangeStore>(store: S, file: string, append: Append = appendChanges): S {
  /** Logs the time in the entry's history, or else one from before the change, so the log is never newer than the store. */
  const logAfter =
    <Order, Result>(
      change: (order: Order) => Promise<Result>,
      kind: LoggedChange['kind'],
      subjects: (order: Order, result: Result) => readonly string[],
    ) =>
    async (order: Order): Promise<Result> => {
      const at = await store.storeTime()
      const result = await change(order)
      const changes: LoggedChange[] = []
      for (const about of pagesOf(subjects(order, result))) {
        const changedAt = await store.entriesChangedAt(about, kind)
        changes.push(...about.map(what => ({ at: changedAt.get(what) ?? at, kind, what })))
      }
      await log(append, file, changes)
      return result
    }
  const logging: Omit<ChangeStore, 'registerKey' | 'storeTime' | 'entriesChangedAt'> = {
    // Log it first, so a restore never brings an erased person back. But check the key before that; otherwise, a refused
    // erasure would be carried out on the next start.
    async erase(order) {
      await store.registerKey({ id: keyIdOf(order.key), newKey: order.newKey ?? false })
      const at = await store.storeTime()
      const erased = order.ids.map(what => ({ at, kind: 'erased', what }) as const)
      if (order.reason !== 'restored backup') await log(append, file, erased)
      return store.erase(order)
    },
    // Only what it added: a list that's imported every night is logged once.
    addToDoNotCall: logAfter(store.addToDoNotCall, 'do-not-call', (_, { added }) => added),
    removeFromDoNotCall: logAfter(store.removeFromDoNotCall, 'may-be-called', (_, { removed }) => removed),
    restoreRemovals: logAfter(store.restoreRemovals, 'do-not-call', (_, { restored }) => restored),
    takeBackEntries: logAfter(store.takeBackEntries, 'may-be-called', (_, removed) => removed),
    undoDoNotCall: logAfter(store.undoDoNotCall, 'may-be-called', (_, { removed }) => removed),
    stopFromCrm: logAfter(store.stopFromCrm, 'do-not-call', (_, stop) =>
      // Also if it's known: the answer to the first one may have been lost before it was logged.
      stop.kind === 'unknown lead' ? [] : stop.entries,
    ),
    // A call can end with a request not to be called.
    saveCall: logAfter(store.saveCall, 'do-not-call', (_, saved) => (saved.kind === 'saved' ? saved.blocked : [])),
    undoCall: logAfter(store.undoCall, 'may-be-called', (_, undone) => undone?.allowed ?? []),
    removePerson: logAfter(store.removePerson, 'dismissed', (_, person) =>
      person.kind === 'removed' ? [person.id] : [],
    ),
  }
  return Object.assign(Object.create(store) as S, logging)
}

async function log(append: Append, file: string, changes: readonly LoggedChange[]): Promise<void> {
  const done =
    changes[0]?.kind === 'erased' ? 'Nothing was erased' : 'The change was made, but restoring a backup would undo it'
  await append(file, changes).catch(error => {
    throw new StoreUnusable(`${done}. ${error.message}`, { cause: error })
  })
}

/** How many entries or erased people are compared with the list at once. For each, it's read once. */
const CHUNK = 500_000
const PAGE = 1000

function* pagesOf(about: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < about.length; start += PAGE) yield about.slice(start, start + PAGE)
}

type Comparable = Pick<DoNotCallStore, 'doNotCallList'> & Pick<ErasureStore, 'erasures'>

/**
 * Logs stops and erasures that aren't in the list: its disk was away or full, or a process was killed before it logged them. Removals
 * can stay unlogged: after a restore, the person is on the do-not-call list again, which only an editor would notice.
 */
export async function logMissingChanges(store: Comparable, file: string): Promise<void> {
  for (const pages of [stopsIn(store), erasuresIn(store)]) {
    for await (const changes of inChunks(pages, CHUNK)) {
      const missing = await missingIn(file, changes)
      if (missing.length > 0) await appendChanges(file, missing)
    }
  }
}

async function missingIn(file: string, changes: readonly LoggedChange[]): Promise<readonly LoggedChange[]> {
  const wanted = new Set(changes.map(subjectOf))
  const logged = new Map<string, LoggedChange>()
  for await (const batch of readChanges(file)) {
    for (const change of batch) if (wanted.has(subjectOf(change))) keepNewest(logged, change)
  }
  return changes.filter(isLoggable).filter(change => {
    const last = logged.get(subjectOf(change))
    return last?.kind !== change.kind && (last?.at ?? 0) <= change.at
  })
}

async function* stopsIn(store: Comparable): AsyncGenerator<readonly LoggedChange[]> {
  for (let after = ''; ; ) {
    const entries = await store.doNotCallList({ after, limit: PAGE })
    yield entries.map(({ contact, changedAt }) => ({ at: changedAt, kind: 'do-not-call', what: contact }))
    if (entries.length < PAGE) return
    after = entries.at(-1)?.contact ?? ''
  }
}

async function* erasuresIn(store: Comparable): AsyncGenerator<readonly LoggedChange[]> {
  for (let after = ''; ; ) {
    const erasures = await store.erasures({ after, limit: PAGE })
    yield erasures.map(({ id, at }) => ({ at, kind: 'erased', what: id }))
    if (erasures.length < PAGE) return
    after = erasures.at(-1)?.id ?? ''
  }
}

async function* inChunks<T>(pages: AsyncIterable<readonly T[]>, size: number): AsyncGenerator<readonly T[]> {
  let chunk: T[] = []
  for await (const page of pages) {
    chunk.push(...page)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
