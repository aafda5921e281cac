/** Logs changes that restoring a backup must not undo in ERASURE_LIST. carry-over.ts applies them to a restored store. */
import { keyIdOf } from '../facts/leads/hashes.ts'
import type { ErasureStore } from '../operations/leads/erasure.ts'
import { StoreUnusable } from '../store-errors.ts'
import type { createToLog } from '../tables/to-log.ts'
import type { DoNotCallList } from '../views/do-not-call-list.ts'
import { appendChanges, isLoggable, keepNewest, type LoggedChange, readChanges, subjectOf } from './erasure-list.ts'

/** Each is appended by a process of its own, so few are better. */
const AT_ONCE = 10_000

/** Logs what to_log has. If it's killed in between, or two servers do it, changes are logged twice, which does no harm. */
export async function logChanges(store: ReturnType<typeof createToLog>, file: string, append = appendChanges) {
  for (;;) {
    const rows = await store.unlogged({ limit: AT_ONCE })
    const changes = new Map<string, LoggedChange>()
    // What can't be logged would keep later changes from it.
    for (const { at, kind, what } of rows)
      if (at !== null && isLoggable({ at, kind, what })) changes.set(subjectOf({ at, kind, what }), { at, kind, what })
    await append(file, [...changes.values()])
    if (rows.length > 0) await store.forgetLogged(rows.map(({ id }) => id))
    if (rows.length < AT_ONCE) return
  }
}

type Erasing = Pick<ErasureStore, 'erase' | 'registerKey' | 'leadsOfPeople'> & { storeTime(): Promise<number> }

/**
 * A store that logs who is to be erased first, and erases nobody if it can't: a restore must never bring them back. But it checks the
 * key before that; otherwise, a refused erasure would be carried out on the next start.
 */
export function withErasuresLogged<S extends Erasing>(store: S, file: string): S {
  const erase: S['erase'] = async order => {
    await store.registerKey({ id: keyIdOf(order.key), newKey: order.newKey ?? false })
    const at = await store.storeTime()
    const erased = (await store.leadsOfPeople(order.ids)).map(what => ({ at, kind: 'erased', what }) as const)
    await appendChanges(file, erased).catch(error => {
      throw new StoreUnusable(`Nothing was erased. ${error.message}`, { cause: error })
    })
    return store.erase(order)
  }
  return Object.assign(Object.create(store) as S, { erase })
}

/** How many entries or erased people are compared with the list at once. For each, it's read once. */
const CHUNK = 500_000
const PAGE = 1000

type Comparable = Pick<DoNotCallList, 'doNotCallList'> & Pick<ErasureStore, 'erasures'>

/**
 * Logs stops and erasures that aren't in the list: someone lost it, or a disk that was away had another one. Removals can stay unlogged:
 * after a restore, the person is on the do-not-call list again, which only an editor would notice.
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
