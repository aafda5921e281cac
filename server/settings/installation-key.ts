/**
 * The installation's secret key: ERASURE_KEY, or `erasure.key` in DATA_DIR, created on first use. It hashes erased leads'
 * emails and phone numbers, and signs contact records. It's never in the store or its backups, so keep a copy with your passwords.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keyIdOf } from '../store/facts/leads/hashes.ts'
import { makeFolder, syncToDisk } from '../store/files.ts'
import type { ErasureStore } from '../store/operations/leads/erasure.ts'
import { explainFileError, StoreUnusable } from '../store/store-errors.ts'
import { IF_KEY_IS_LOST } from '../store/tables/erased-people.ts'
import { type Config, MIN_KEY_LENGTH } from './config.ts'

export type KeySettings = Pick<Config, 'erasureKey' | 'dataDir'>

export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'erasure.key')
}

/** Null if there isn't one yet. */
export function findKey({ erasureKey, dataDir }: KeySettings): string | null {
  if (erasureKey !== null) return erasureKey
  const file = keyFileIn(dataDir)
  try {
    return readKey(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (error instanceof StoreUnusable) throw error
    throw new StoreUnusable(`Can’t read the key in ${file}: ${explainFileError(error) ?? code}`, { cause: error })
  }
}

/** Refuses a key that isn't whole: hashes made with an empty one can be reversed, and its signatures forged. */
function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim()
  if (key.length >= MIN_KEY_LENGTH) return key
  const replace = 'Replace it with your copy of the key. If there is no copy, delete the file.'
  throw new StoreUnusable(`The key file ${file} is empty or incomplete. ${replace} ${IF_KEY_IS_LOST}`)
}

/** Creates a key if this installation doesn't have one. Rejects if the store has been used with a different key. */
export async function installationKey(
  settings: KeySettings,
  store: Pick<ErasureStore, 'installationKeys' | 'registerKey'>,
  { newKey = false, signing = false }: { readonly newKey?: boolean; readonly signing?: boolean } = {},
): Promise<string> {
  let key = findKey(settings)
  const known = await store.installationKeys()
  if (key === null) {
    const file = keyFileIn(settings.dataDir)
    if (known.length > 0 && !newKey) {
      const copy = `Copy erasure.key to ${file} from a machine that has it, or set ERASURE_KEY. ${IF_KEY_IS_LOST}`
      throw new StoreUnusable(`This machine doesn’t have the store’s key (key ID ${known[0]?.id}). ${copy}`)
    }
    key = createKey(file)
  }
  const id = keyIdOf(key)
  const registered = known.find(each => each.id === id)
  if (!registered || (signing && registered.signingSince === null)) {
    // The store must not refer to a key that a power outage could still take away.
    if (settings.erasureKey === null) syncToDisk(settings.dataDir)
    await store.registerKey({ id, newKey, signing })
  }
  return key
}

/**
 * Writes the key to a temporary file first, so the key file never holds a part of it. A link, unlike a rename, doesn't replace a
 * key that another process created at the same time.
 */
function createKey(file: string): string {
  const key = randomBytes(32).toString('base64url')
  const temporary = `${file}.${randomUUID()}`
  try {
    makeFolder(dirname(file))
    writeFileSync(temporary, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true })
    linkSync(temporary, file)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readKey(file)
    const why = isWithoutLinks(error) ? NO_LINKS : explainFileError(error)
    if (why === null) throw error
    throw new StoreUnusable(`Can’t create the key file ${file}: ${why}`, { cause: error })
  } finally {
    rmSync(temporary, { force: true })
  }
}

const NO_LINKS =
  'this disk’s file system has no hard links. Set ERASURE_KEY instead (create one with: openssl rand -base64 32), or set DATA_DIR to a folder on another disk.'

/** FAT, exFAT, and some shared folders of virtual machines. */
function isWithoutLinks(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return syscall === 'link' && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)
}
