/** Opens the store that the settings name. The only place that knows which engines there are. */
import type { BackupResult, StoreHealth } from './health.ts'
import { type Moved, moveLeads } from './move.ts'
import { backUpPostgres } from './postgres/backup.ts'
import { inspectPostgresStore } from './postgres/health.ts'
import { openMoveTarget } from './postgres/move-target.ts'
import { openPostgresStore } from './postgres/postgres-store.ts'
import type { LeadSearch } from './search/lead-search.ts'
import { startLeadSearch } from './search/start-lead-search.ts'
import { backUpStore as backUpSqlite } from './sqlite/backup/backup.ts'
import {
  inspectCopy,
  inspectPresent,
  type Restored,
  type RestoreOrder,
  restoreCopy,
  type StoreContents,
} from './sqlite/backup/restore.ts'
import { isNewStore, storeFile } from './sqlite/files.ts'
import { inspectSqliteStore } from './sqlite/health.ts'
import { openMoveSource } from './sqlite/move-source.ts'
import { BUSY_TIMEOUT_MS } from './sqlite/open-file.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import { askInThread } from './sqlite/thread/question-thread.ts'
import { startStoreThread, startThreadedStore } from './sqlite/thread/threaded-store.ts'
import type { Store } from './store.ts'

export interface StoreSettings {
  /** The folder of the embedded store, as an absolute path. */
  readonly dataDir: string
  /** The PostgreSQL to use instead. */
  readonly databaseUrl: string | null
}

export interface ServerStoreOptions {
  /** Where leads were kept before, this tells of a wrong DATA_DIR, or of a disk that is not mounted. */
  readonly onCreated: (place: string) => void
  /** The engine has ended by an error that nothing in it expected. What was asked of it is never answered. */
  readonly onCrash: (error: unknown) => void
}

/** For the server: makes the store where there is none, and brings its structure up to date. */
export async function openStore(settings: StoreSettings, options: ServerStoreOptions): Promise<Store> {
  const { dataDir, databaseUrl } = settings
  if (databaseUrl !== null) return openPostgresStore(databaseUrl, { onCreated: options.onCreated })
  const file = storeFile(dataDir)
  const isNew = isNewStore(file)
  const store = await startThreadedStore(file, options.onCrash)
  if (isNew) options.onCreated(file)
  return store
}

export interface JoinOptions {
  readonly access: 'read' | 'write'
  /** The store's clock, where it has none of its own. */
  readonly now?: (() => number) | undefined
  /** How long to wait for a store that another program has locked. */
  readonly busyTimeoutMs?: number | undefined
  /** For who only asks, beside captures: PostgreSQL gives a question up that takes longer. */
  readonly giveUpAfterMs?: number | undefined
}

/** For the operator's programs beside the server. Fails with StoreUnusable when there is no store of this version. */
export async function joinStore({ dataDir, databaseUrl }: StoreSettings, options: JoinOptions): Promise<Store> {
  const { access, now = Date.now, busyTimeoutMs = BUSY_TIMEOUT_MS, giveUpAfterMs = 0 } = options
  if (databaseUrl !== null) return openPostgresStore(databaseUrl, { access: 'beside', giveUpAfterMs })
  return openSqliteStore(storeFile(dataDir), { access, now, busyTimeoutMs })
}

/** The desk's two ways into the store: a question that takes long must delay neither its changes nor anybody's capture. */
export interface DeskStores {
  readonly store: Store
  readonly reader: Store
  readonly search: LeadSearch
  close(): Promise<void>
}

/** A question of the desk that takes longer is given up, and whoever asked it is told so. */
const GIVE_UP_MS = 10_000

/** For the desk, beside a server that may be running: it neither makes a store nor brings it up to date. */
export async function joinStoreForDesk(
  settings: StoreSettings,
  { onCrash }: Pick<ServerStoreOptions, 'onCrash'>,
): Promise<DeskStores> {
  const { dataDir, databaseUrl } = settings
  const file = storeFile(dataDir)
  const opened: { close(): Promise<void> }[] = []
  const opening = async <T extends { close(): Promise<void> }>(one: Promise<T>): Promise<T> => {
    opened.push(await one)
    return one
  }
  const close = async () => void (await Promise.all(opened.map(each => each.close())))
  try {
    const store = await opening(
      databaseUrl === null
        ? startThreadedStore(file, onCrash, 'write')
        : openPostgresStore(databaseUrl, { access: 'beside' }),
    )
    const reader = await opening(
      databaseUrl === null
        ? askInThread(() => startStoreThread(file, onCrash, 'read'), GIVE_UP_MS)
        : openPostgresStore(databaseUrl, { access: 'beside', giveUpAfterMs: GIVE_UP_MS }),
    )
    const search = await opening(startLeadSearch({ dataDir, databaseUrl }, { onCrash, giveUpAfterMs: GIVE_UP_MS }))
    return { store, reader, search, close }
  } catch (error) {
    await close()
    throw error
  }
}

export async function inspectStore(
  { dataDir, databaseUrl }: StoreSettings,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: Pick<JoinOptions, 'busyTimeoutMs'>,
): Promise<StoreHealth> {
  if (databaseUrl !== null) return inspectPostgresStore(databaseUrl)
  return inspectSqliteStore(storeFile(dataDir), busyTimeoutMs)
}

/** A copy of the whole store while the server goes on using it. While it is made, it is called `COPY.part`. */
export function backUpStore(
  { dataDir, databaseUrl }: StoreSettings,
  copy: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: Pick<JoinOptions, 'busyTimeoutMs'>,
): Promise<BackupResult> {
  if (databaseUrl !== null) return backUpPostgres(databaseUrl, copy)
  return backUpSqlite({ store: storeFile(dataDir), copy, busyTimeoutMs })
}

export interface RestorePlan {
  readonly copy: StoreContents
  /** What the copy would replace; null where nothing can be read. */
  readonly present: StoreContents | null
  carryOut(order: Pick<RestoreOrder, 'erased' | 'key' | 'now'>): Promise<Restored>
}

/** Looks at a copy of the embedded store, and at the store that it is to replace. Nothing is changed yet. */
export function planRestore(
  { dataDir }: Pick<StoreSettings, 'dataDir'>,
  copy: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: Pick<JoinOptions, 'busyTimeoutMs'>,
): RestorePlan {
  const store = storeFile(dataDir)
  const contents = inspectCopy(copy)
  const present = inspectPresent(store, busyTimeoutMs)
  return { copy: contents, present, carryOut: order => restoreCopy({ ...order, store, copy, present }) }
}

export interface MoveOptions extends Pick<JoinOptions, 'busyTimeoutMs'> {
  readonly onProgress: (leads: number, total: number) => void
}

/** From the embedded store to a PostgreSQL. */
export async function moveStore(
  { dataDir }: Pick<StoreSettings, 'dataDir'>,
  databaseUrl: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS, onProgress }: MoveOptions,
): Promise<Moved> {
  const target = await openMoveTarget(databaseUrl)
  try {
    const source = openMoveSource(storeFile(dataDir), busyTimeoutMs)
    try {
      return await moveLeads(source, target, leads => onProgress(leads, source.leads))
    } finally {
      source.close()
    }
  } finally {
    await target.close()
  }
}
