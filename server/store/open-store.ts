/**
 * Opens the store that the settings specify. Only this module knows which engines exist. It loads an engine on first use,
 * because loading both would noticeably slow down a quick command.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreHealth } from './operations/upkeep/upkeep.ts'
import type { RestoreOrder } from './sqlite/backup.ts'
import type { CopyDescription } from './sqlite/copies.ts'
import {
  BUSY_TIMEOUT_MS,
  isNewStore,
  MARKER,
  movedStore,
  oldStoresIn,
  restoringStore,
  storeFile,
} from './sqlite/files.ts'
import type { Store } from './store.ts'
import { StoreUnavailable, StoreUnusable } from './store-errors.ts'
import { defaultSettings, type UsedSettings } from './upgrades/used-settings.ts'
import { withErasuresLogged } from './upkeep/change-log.ts'
import type { OldBackups } from './upkeep/old-backups.ts'

export interface StoreSettings extends Partial<UsedSettings> {
  /** The absolute path of the embedded store's folder. */
  readonly dataDir: string
  /** The PostgreSQL database to use instead; null for the embedded store. */
  readonly databaseUrl: string | null
  /** Create a store only where the marker is: see `verifyMarked`. */
  readonly newStoreNeedsMarker?: boolean
  /** A log of changes that a restore must not undo, kept with the backups. */
  readonly erasureList?: string
}

export interface ServerStoreOptions {
  /** There was no store. If there were leads before, DATA_DIR is wrong or a disk isn't mounted. */
  readonly onCreated: (location: string) => void
  /** An upgrade starts. With a large store, it takes minutes. */
  readonly onUpgrade?: () => void
  /** The engine crashed with an unexpected error. In-flight calls never settle. */
  readonly onCrash: (error: unknown) => void
}

/** For the server: creates or upgrades the store. */
export async function openStore(
  storeSettings: StoreSettings,
  { onCreated, onUpgrade, onCrash }: ServerStoreOptions,
): Promise<Store> {
  const { dataDir, databaseUrl } = storeSettings
  const settings = usedSettings(storeSettings)
  if (databaseUrl !== null) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore(databaseUrl, { onCreated, onUpgrade, settings })
  }
  const { startStoreWorker } = await import('./sqlite/worker-store.ts')
  const file = storeFile(dataDir)
  const isNew = isNewStore(file)
  if (isNew) verifyMarked(storeSettings)
  const { store } = await startStoreWorker(file, 'owner', onCrash, { onUpgrade, settings })
  if (isNew) onCreated(file)
  return store
}

/** Only these can be sent to a worker. */
const usedSettings = ({
  callList = defaultSettings.callList,
  webhookUrl = defaultSettings.webhookUrl,
}: StoreSettings): UsedSettings => ({ callList, webhookUrl })

/**
 * On the mount point of a disk that isn't mounted, there's no store, either. Leads stored there would be out of sight once the disk
 * is back. release.sh writes the marker before the first start, so it's on the disk that the store is on.
 */
function verifyMarked({ dataDir, newStoreNeedsMarker = false }: StoreSettings): void {
  const marker = join(dataDir, MARKER)
  if (!newStoreNeedsMarker || existsSync(marker) || oldStoresIn(dataDir).length > 0) return
  throw new StoreUnusable(
    `There is no store in ${dataDir}. If it’s on a separate disk, mount it: the server goes on by itself. For a new, empty store, create the file ${marker}.`,
  )
}

export interface ConnectOptions {
  readonly access: 'read' | 'write'
  /** How long to wait for an embedded store that another program has locked. */
  readonly busyTimeoutMs?: number | undefined
  /** The embedded store's clock. */
  readonly now?: (() => number) | undefined
}

/** For programs other than the server. Fails with StoreUnusable unless there's a store at the current version. */
export const connectStore = async (settings: StoreSettings, options: ConnectOptions): Promise<Store> =>
  withErasureList(settings, await connect(settings, options))

async function connect({ dataDir, databaseUrl }: StoreSettings, options: ConnectOptions): Promise<Store> {
  const { access, now = Date.now, busyTimeoutMs = BUSY_TIMEOUT_MS } = options
  if (databaseUrl !== null) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore(databaseUrl, { access: 'client' })
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts')
  return openSqliteStore(storeFile(dataDir), { access, now, busyTimeoutMs })
}

const withErasureList = ({ erasureList }: StoreSettings, store: Store) =>
  erasureList === undefined ? store : withErasuresLogged(store, erasureList)

/** A desk query that takes longer fails with QueryTimeoutError. */
const DESK_TIMEOUT_MS = 10_000

/**
 * For the desk, while a server may be running. Doesn't create or upgrade the store. Reads use a separate connection, so a slow
 * query doesn't delay changes or captures.
 */
export async function connectDeskStores(settings: StoreSettings, { onCrash }: Pick<ServerStoreOptions, 'onCrash'>) {
  const { store, reader } = await openForDesk(settings, onCrash)
  const close = async () => void (await Promise.all([store.close(), reader.close()]))
  return { store: withErasureList(settings, store), reader, close }
}

async function openForDesk({ dataDir, databaseUrl }: StoreSettings, onCrash: ServerStoreOptions['onCrash']) {
  if (databaseUrl !== null) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    const store = await openPostgresStore(databaseUrl, { access: 'client' })
    const reader = await openPostgresStore(databaseUrl, { access: 'client', statementTimeoutMs: DESK_TIMEOUT_MS })
    return { store, reader }
  }
  const { createReadWorker, startStoreWorker } = await import('./sqlite/worker-store.ts')
  const file = storeFile(dataDir)
  const { store } = await startStoreWorker(file, 'write', onCrash)
  return { store, reader: await createReadWorker(() => startStoreWorker(file, 'read', () => {}), DESK_TIMEOUT_MS) }
}

/** For `doctor`. Changes only the time of the last health check. */
export async function inspectStore(settings: StoreSettings, busyTimeoutMs?: number): Promise<StoreHealth> {
  const location = storeFile(settings.dataDir)
  const isMissing = [location, movedStore(location), restoringStore(location)].every(file => !existsSync(file))
  try {
    if (settings.databaseUrl === null && isMissing) {
      verifyMarked(settings)
      return { kind: 'missing', location }
    }
    const store = await connectStore(settings, { access: 'write', busyTimeoutMs })
    return await store.health().finally(() => store.close())
  } catch (error) {
    if (error instanceof StoreUnusable) return { kind: 'unusable', message: error.message }
    if (!(error instanceof StoreUnavailable)) throw error
    return { kind: 'unusable', message: `The store is unavailable: ${error.message}` }
  }
}

/** Copies the whole store while the server is running. */
export async function backUpStore(settings: StoreSettings, copy: string, busyTimeoutMs = BUSY_TIMEOUT_MS) {
  const { dataDir, databaseUrl } = settings
  if (databaseUrl !== null) {
    const { backUpPostgres } = await import('./postgres/backup.ts')
    return backUpPostgres(databaseUrl, copy)
  }
  const { backUpSqlite } = await import('./sqlite/backup.ts')
  return backUpSqlite(storeFile(dataDir), copy, busyTimeoutMs)
}

/** Copies the embedded store to the file, or beside it if that has something that the store lacks. */
export async function copyLatest({ dataDir }: StoreSettings, copy: string, busyTimeoutMs = BUSY_TIMEOUT_MS) {
  const copies = await import('./sqlite/copies.ts')
  return copies.copyLatest(storeFile(dataDir), copy, busyTimeoutMs)
}

/** From now on, the embedded store's copy is that file. */
export async function acceptCopy({ dataDir }: StoreSettings, copy: string, busyTimeoutMs = BUSY_TIMEOUT_MS) {
  const copies = await import('./sqlite/copies.ts')
  return copies.acceptCopy(storeFile(dataDir), copy, busyTimeoutMs)
}

/** Null if the file isn't a copy of an embedded store. */
export async function describeBackup(file: string): Promise<CopyDescription | null> {
  const copies = await import('./sqlite/copies.ts')
  return copies.describeCopy(file)
}

/** Beside the newest one. Returns the newest one of another store, which stays, or null. */
export async function deleteOldBackups(backups: OldBackups): Promise<string | null> {
  const old = await import('./upkeep/old-backups.ts')
  return old.deleteOldBackups(backups)
}

/** Reads a copy of the embedded store and, if it's readable, the store it will replace. Doesn't change anything yet. */
export async function planRestore(storeSettings: StoreSettings, copy: string, busyTimeoutMs = BUSY_TIMEOUT_MS) {
  const { inspectCopy, inspectCurrent, restoreCopy } = await import('./sqlite/backup.ts')
  const store = storeFile(storeSettings.dataDir)
  const settings = usedSettings(storeSettings)
  const contents = inspectCopy(copy)
  const current = inspectCurrent(store, busyTimeoutMs)
  const carryOut = (order: Pick<RestoreOrder, 'changes' | 'key' | 'now'>) =>
    restoreCopy({ ...order, store, copy, settings, busyTimeoutMs })
  return { copy: contents, current, carryOut }
}

/** Fails while a server, a desk, or another command has the store open. */
export async function verifyStoreUnused({ dataDir, databaseUrl }: StoreSettings, busyTimeoutMs = BUSY_TIMEOUT_MS) {
  if (databaseUrl === null) {
    const { openExclusively } = await import('./sqlite/open-file.ts')
    const file = storeFile(dataDir)
    return isNewStore(file) ? undefined : openExclusively(file, busyTimeoutMs).close()
  }
  const { verifyUnused } = await import('./postgres/migrate.ts')
  const { connectTo } = await import('./postgres/connections.ts')
  return connectTo(databaseUrl).single(verifyUnused)
}

/** For a store restored with pg_restore, whose backup may be from an older version. The embedded store is upgraded by `planRestore`. */
export async function openRestoredStore(settings: StoreSettings): Promise<Store> {
  if (settings.databaseUrl === null) return connect(settings, { access: 'write' })
  const { openPostgresStore } = await import('./postgres/postgres-store.ts')
  return openPostgresStore(settings.databaseUrl, { access: 'restore', settings: usedSettings(settings) })
}

/** Moves the embedded store to PostgreSQL. Returns how many leads were moved and where the old store is now. */
export async function moveStore(dataDir: string, databaseUrl: string, busyTimeoutMs = BUSY_TIMEOUT_MS) {
  const { moveToPostgres } = await import('./upkeep/move.ts')
  return moveToPostgres(storeFile(dataDir), databaseUrl, busyTimeoutMs)
}
