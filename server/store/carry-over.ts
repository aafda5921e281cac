/**
 * What a restored backup must not undo: erasures, the do-not-call list, and people who may no longer sign in to the desk.
 * Each such change is logged in a file kept with the backups (ERASURE_LIST) before it is made, and the log is applied to a
 * store that was restored. Whatever is newer in the store than on the list stays, so applying it twice changes nothing.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { createAccounts } from './accounts.ts'
import { contactOfEntry, type DoNotCallStore, entryOf } from './do-not-call.ts'
import { type ErasureStore, keyIdOf } from './erasure.ts'
import { makeFolder } from './files.ts'
import type { SqlPort } from './sql.ts'
import { explainFileError, StoreUnusable } from './store-errors.ts'

const kinds = ['erased', 'do-not-call', 'may-be-called', 'dismissed', 'passkey-removed'] as const

export interface NotedChange {
  readonly at: number
  readonly kind: (typeof kinds)[number]
  /** The lead's id, the contact, the desk account's id, or the passkey's. */
  readonly what: string
}

export interface CarryOverOrder {
  readonly changes: readonly NotedChange[]
  /** The store was restored: sessions and invitations in it may have been ended since. */
  readonly endSessions: boolean
}

export function createCarryOver({ read, transact }: SqlPort, doNotCall: DoNotCallStore) {
  /** The contacts whose last change on the list is of this kind, and newer than what the store knows. */
  async function newer(changes: readonly NotedChange[], kind: NotedChange['kind']): Promise<readonly string[]> {
    const inOrder = changes.filter(isAboutCalls).toSorted((a, b) => a.at - b.at)
    const last = new Map(inOrder.map(change => [change.what, change]))
    const rows = await read<{ contact: string; at: number }>(
      'SELECT contact, MAX(at) AS at FROM do_not_call_history GROUP BY contact',
    )
    const known = new Map(rows.map(({ contact, at }) => [contact, at]))
    return [...last.values()]
      .filter(change => change.kind === kind && change.at > (known.get(change.what) ?? Number.NEGATIVE_INFINITY))
      .map(({ what }) => what)
  }

  return {
    /** Makes the changes that the store does not know of, erasures aside. */
    async carryOver({ changes, endSessions }: CarryOverOrder) {
      const order = (entries: readonly string[]) => ({ contacts: entries.map(contactOfEntry), by: 'restore' })
      const { added } = await doNotCall.suppress(order(await newer(changes, 'do-not-call')))
      const removed = await doNotCall.unsuppress(order(await newer(changes, 'may-be-called')))
      const dismissed = await transact(async sql => {
        let people = 0
        for (const { at, what } of changes.filter(({ kind }) => kind === 'dismissed')) {
          // A passkey added since means that the person was invited again.
          const [gone] = await sql(
            `UPDATE desk_people SET dismissed_at = $2 WHERE id = $1 AND dismissed_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM desk_passkeys WHERE person_id = desk_people.id AND added_at > $2)
             RETURNING id`,
            [what, at],
          )
          if (!gone) continue
          people++
          for (const table of ['desk_passkeys', 'desk_sessions', 'desk_invitations']) {
            await sql(`DELETE FROM ${table} WHERE person_id = $1`, [what])
          }
        }
        for (const { what } of changes.filter(({ kind }) => kind === 'passkey-removed')) {
          await sql('DELETE FROM desk_passkeys WHERE id = $1', [what])
        }
        if (endSessions) {
          for (const table of ['desk_sessions', 'desk_invitations', 'desk_challenges'])
            await sql(`DELETE FROM ${table}`)
        }
        return people
      })
      return { doNotCall: added + removed, dismissed }
    },
  }
}

const isAboutCalls = ({ kind }: NotedChange) => kind === 'do-not-call' || kind === 'may-be-called'

/** Makes every change on the list that the store does not know of. */
export async function applyChanges(
  store: Pick<ErasureStore, 'notErased' | 'erase'> & ReturnType<typeof createCarryOver>,
  { changes, endSessions }: CarryOverOrder,
  key: () => Promise<string>,
) {
  const ids = new Set(changes.filter(({ kind }) => kind === 'erased').map(({ what }) => what))
  const back = await store.notErased([...ids])
  const again = { ids: back, by: 'restore', because: 'restored backup' } as const
  const erased = back.length === 0 ? 0 : (await store.erase({ ...again, key: await key() })).leads
  return { erased, ...(await store.carryOver({ changes, endSessions })) }
}

type NotedStore = Pick<ErasureStore, 'erase' | 'registerKey'> &
  Pick<DoNotCallStore, 'suppress' | 'unsuppress'> &
  Pick<ReturnType<typeof createAccounts>, 'dismiss' | 'removePasskey'> & { storeTime(): Promise<number> }

/** The same store, which notes what must survive a restore. */
export function notingChanges<S extends NotedStore>(store: S, file: string): S {
  const note = (kind: NotedChange['kind'], subjects: readonly string[], at: number) =>
    noteChanges(
      file,
      subjects.map(what => ({ at, kind, what })),
    )
  /** With the time before the change, so that the list never looks newer than the store that has it. */
  const noteAfter =
    <Order, Done>(
      change: (order: Order) => Promise<Done>,
      kind: NotedChange['kind'],
      subjects: (order: Order, done: Done) => readonly string[],
    ) =>
    async (order: Order): Promise<Done> => {
      const at = await store.storeTime()
      const done = await change(order)
      note(kind, subjects(order, done), at)
      return done
    }
  const noted: Omit<NotedStore, 'registerKey' | 'storeTime'> = {
    // Noted first: nobody who was erased may come back. But not before the key is known to be right, or a refused erasure
    // would happen at the next start.
    async erase(order) {
      await store.registerKey({ id: keyIdOf(order.key), newKey: order.newKey ?? false })
      if (order.because !== 'restored backup') note('erased', order.ids, await store.storeTime())
      return store.erase(order)
    },
    suppress: noteAfter(store.suppress, 'do-not-call', ({ contacts }) => contacts.map(entryOf)),
    unsuppress: noteAfter(store.unsuppress, 'may-be-called', ({ contacts }) => contacts.map(entryOf)),
    dismiss: noteAfter(store.dismiss, 'dismissed', (_name, person) => (person ? [person.id] : [])),
    removePasskey: noteAfter(store.removePasskey, 'passkey-removed', ({ id }, done) =>
      done === 'removed' ? [id] : [],
    ),
  }
  return Object.assign(Object.create(store) as S, noted)
}

const LINE = /^(\S+) (?:(\S+) )?(\S+)$/

/** On disk when it returns. */
export function noteChanges(file: string, changes: readonly NotedChange[]): void {
  if (changes.length === 0) return
  try {
    makeFolder(dirname(file))
    const lines = changes.map(({ at, kind, what }) => `${new Date(at).toISOString()} ${kind} ${what}\n`)
    appendFileSync(file, lines.join(''), { mode: 0o600, flush: true })
  } catch (error) {
    const isErasure = changes.some(({ kind }) => kind === 'erased')
    const done = isErasure ? 'Nothing was erased' : 'The change was made, but restoring a backup would undo it'
    throw unusable(error, `${done}, because it can’t be logged in ${file}`)
  }
}

/** In the order of the file; none where there is no list yet. */
export function readChanges(file: string): readonly NotedChange[] {
  if (!existsSync(file)) return []
  try {
    return readFileSync(file, 'utf8').split('\n').flatMap(parseLine)
  } catch (error) {
    throw unusable(error, `Can’t read ${file}`)
  }
}

/** Until 0.5.3 the list had erasures only, as a time and an id. */
function parseLine(line: string): readonly NotedChange[] {
  const [, time = '', word = 'erased', what = ''] = LINE.exec(line.trim()) ?? []
  const kind = kinds.find(each => each === word)
  const at = Date.parse(time)
  return kind === undefined || Number.isNaN(at) || what === '' ? [] : [{ at, kind, what }]
}

function unusable(error: unknown, what: string): unknown {
  const why = error instanceof StoreUnusable ? error.message : explainFileError(error)
  return why === null ? error : new StoreUnusable(`${what}: ${why} Check ERASURE_LIST.`, { cause: error })
}
