/**
 * The list of erased leads, a file beside the backups: ids and times, nothing of the people. A backup from before an erasure
 * has the person in it; whatever is restored is compared with this list, and those people are erased again.
 */
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../sqlite/files.ts'
import type { Store } from '../store.ts'
import { explainFileError, StoreUnusable } from '../store-errors.ts'

const ENTRY = /^\S+ ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/gm

/** On disk when it returns. To be called before the erasure: a person whom nothing noted would come back. */
export function noteErasures(file: string, ids: readonly string[], at: number): void {
  if (ids.length === 0) return
  try {
    makeFolder(dirname(file))
    const descriptor = openSync(file, 'a', 0o600)
    try {
      appendFileSync(descriptor, ids.map(id => `${new Date(at).toISOString()} ${id}\n`).join(''))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw unusable(error, `Nothing was erased, since it cannot be noted in ${file}`)
  }
}

/** The ids on the list; none where there is no list yet. */
export function readErasures(file: string): readonly string[] {
  if (!existsSync(file)) return []
  try {
    return [...new Set(Array.from(readFileSync(file, 'utf8').matchAll(ENTRY), ([, id = '']) => id))]
  } catch (error) {
    throw unusable(error, `The list of erasures ${file} cannot be read`)
  }
}

function unusable(error: unknown, what: string): unknown {
  const why = error instanceof StoreUnusable ? error.message : explainFileError(error)
  if (why === null) return error
  return new StoreUnusable(`${what}: ${why} ERASURE_LIST names it.`, { cause: error })
}

/** Erases those again whom a restored backup has brought back. Answers with how many. */
export async function eraseAgain(
  store: Pick<Store, 'notErased' | 'erase'>,
  ids: readonly string[],
  key: string | null,
): Promise<number> {
  const back = await store.notErased(ids)
  if (back.length === 0) return 0
  if (key === null) {
    throw new StoreUnusable(
      `${back.length} leads that were erased are in the store again, by a restored backup. Set ERASURE_KEY, so that they can be erased.`,
    )
  }
  return (await store.erase({ ids: back, key, because: 'restored backup' })).leads
}
