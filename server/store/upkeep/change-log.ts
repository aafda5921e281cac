/**
 * The log of changes that restoring a backup must not undo: erasures, the do-not-call list, and revoked desk access. It's a file
 * kept with the backups (ERASURE_LIST); carry-over.ts applies it to a restored store.
 */
import type { createOutcomes } from '../calls/outcomes.ts'
import type { createCrmStops } from '../do-not-call/crm-stops.ts'
import type { DoNotCallStore } from '../do-not-call/do-not-call.ts'
import { entryOf } from '../do-not-call/stops.ts'
import type { createWebStops } from '../do-not-call/web-stops.ts'
import { type ErasureStore, keyIdOf } from '../leads/erasure.ts'
import type { createDeskPeople } from '../people/desk-people.ts'
import { StoreUnusable } from '../store-errors.ts'
import { appendLines, readSharedFile } from './shared-file.ts'

const kinds = ['erased', 'do-not-call', 'may-be-called', 'dismissed'] as const

export interface LoggedChange {
  readonly at: number
  readonly kind: (typeof kinds)[number]
  /** The ID of the lead or desk account, or the email address or phone number. */
  readonly what: string
}

type ChangeStore = { storeTime(): Promise<number> } & Pick<ErasureStore, 'erase' | 'registerKey'> &
  Pick<DoNotCallStore, 'addToDoNotCall' | 'removeFromDoNotCall' | 'undoDoNotCall'> &
  Pick<ReturnType<typeof createOutcomes>, 'saveCall' | 'undoCall'> &
  Pick<ReturnType<typeof createDeskPeople>, 'removePerson'> &
  Pick<ReturnType<typeof createCrmStops>, 'stopFromCrm'> &
  Pick<ReturnType<typeof createWebStops>, 'takeBackWebStops'>

/** Writes lines to the log. Rejects with StoreUnusable. */
export type Append = (file: string, lines: readonly string[]) => Promise<void>

/** Makes the store log changes that must survive a restore. */
export function withChangeLog<S extends ChangeStore>(store: S, file: string, append: Append = appendLines): S {
  /** Logs a time from before the change, so the log is never newer than the store. */
  const logAfter =
    <Order, Result>(
      change: (order: Order) => Promise<Result>,
      kind: LoggedChange['kind'],
      subjects: (order: Order, result: Result) => readonly string[],
    ) =>
    async (order: Order): Promise<Result> => {
      const at = await store.storeTime()
      const result = await change(order)
      await log(
        append,
        file,
        subjects(order, result).map(what => ({ at, kind, what })),
      )
      return result
    }
  const logging: Omit<ChangeStore, 'registerKey' | 'storeTime'> = {
    // Log it first, so a restore never brings an erased person back. But check the key before that; otherwise, a refused
    // erasure would be carried out on the next start.
    async erase(order) {
      await store.registerKey({ id: keyIdOf(order.key), newKey: order.newKey ?? false })
      const at = await store.storeTime()
      const erased = order.ids.map(what => ({ at, kind: 'erased', what }) as const)
      if (order.reason !== 'restored backup') await log(append, file, erased)
      return store.erase(order)
    },
    addToDoNotCall: logAfter(store.addToDoNotCall, 'do-not-call', ({ contacts }) => contacts.map(entryOf)),
    removeFromDoNotCall: logAfter(store.removeFromDoNotCall, 'may-be-called', ({ contacts }) => contacts.map(entryOf)),
    takeBackWebStops: logAfter(store.takeBackWebStops, 'may-be-called', (_, removed) => removed),
    undoDoNotCall: logAfter(store.undoDoNotCall, 'may-be-called', (_, { undone }) => undone),
    stopFromCrm: logAfter(store.stopFromCrm, 'do-not-call', (_, stop) =>
      stop.kind === 'recorded' ? stop.entries : [],
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

const PAGE = 1000

/**
 * Logs entries of the do-not-call list that aren't in the log, because a process was killed or its disk was full after it had added
 * them. Removals can stay unlogged: after a restore, the person is on the list again, which only an editor would notice.
 */
export async function logMissingEntries(
  store: Pick<DoNotCallStore, 'doNotCallList'>,
  file: string,
  append: Append = appendLines,
): Promise<void> {
  const logged = newestByContact(await readChanges(file))
  for (let after = ''; ; ) {
    const entries = await store.doNotCallList({ after, limit: PAGE })
    const missing = entries.filter(({ contact, addedAt }) => {
      const change = logged.get(contact)
      return change?.kind !== 'do-not-call' && (change?.at ?? 0) <= addedAt
    })
    await log(
      append,
      file,
      missing.map(({ contact, addedAt }) => ({ at: addedAt, kind: 'do-not-call', what: contact })),
    )
    if (entries.length < PAGE) return
    after = entries.at(-1)?.contact ?? ''
  }
}

/** The last change of the do-not-call list for each email and phone number. */
export function newestByContact(changes: readonly LoggedChange[]): ReadonlyMap<string, LoggedChange> {
  const ofList = changes.filter(({ kind }) => kind === 'do-not-call' || kind === 'may-be-called')
  return new Map(ofList.toSorted((a, b) => a.at - b.at).map(change => [change.what, change]))
}

const LINE = /^(\S+) (?:(\S+) )?(\S+)$/

/** The entries are on disk when this resolves. */
async function log(append: Append, file: string, changes: readonly LoggedChange[]): Promise<void> {
  const [first] = changes
  if (!first) return
  const lines = changes.map(({ at, kind, what }) => {
    const time = new Date(at).toISOString()
    // Erasures are two fields, as in 0.5.3: it skips all other lines, so after a rollback it still erases these people again.
    return kind === 'erased' ? `${time} ${what}` : `${time} ${kind} ${what}`
  })
  const done =
    first.kind === 'erased' ? 'Nothing was erased' : 'The change was made, but restoring a backup would undo it'
  await append(file, lines).catch(error => {
    throw unusable(error, `${done}, because it can’t be logged in ${file}`)
  })
}

/** In file order; empty if there's no log yet. */
export async function readChanges(file: string): Promise<readonly LoggedChange[]> {
  const text = await readSharedFile(file).catch(error => {
    throw unusable(error, `Can’t read ${file}`)
  })
  return text === null ? [] : text.split('\n').flatMap(parseLine)
}

/** An erasure is a time and an ID. 0.6.0 wrote it with its kind, and also logged deleted passkeys, which are ignored. */
function parseLine(line: string): readonly LoggedChange[] {
  const [, time = '', word = 'erased', what = ''] = LINE.exec(line.trim()) ?? []
  const kind = kinds.find(each => each === word)
  const at = Date.parse(time)
  return kind === undefined || Number.isNaN(at) || what === '' ? [] : [{ at, kind, what }]
}

function unusable(error: StoreUnusable, what: string): StoreUnusable {
  const check = error.message.includes('ERASURE_LIST') ? '' : ' Check ERASURE_LIST.'
  return new StoreUnusable(`${what}: ${error.message}${check}`, { cause: error })
}
