/**
 * Opens the store that the settings name. The only place that knows which engines there are. What an engine needs is loaded
 * with its first use: a command that answers in a moment would else spend a good part of it on the other one.
 */
import { notingChanges } from './carry-over.ts'
import type { BackupResult, StoreHealth } from './health.ts'
import { BUSY_TIMEOUT_MS, isNewStore, storeFile } from './sqlite/files.ts'
import type { Restored, RestoreOrder, StoreContents } from './sqlite/restore.ts'
import type { Store } from './store.ts'

export interface StoreSettings {
  /** The folder of the embedded store, as an absolute path. */
  readonly dataDir: string
  /** The PostgreSQL to use instead. */
  readonly databaseUrl: string | null
  /** The file beside the backups that notes what a restored one must not undo. */
  readonly erasureList?: string
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
  if (databaseUrl !== null) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore(databaseUrl, { onCreated: options.onCreated })
  }
  const { startStoreWorker } = await import('./sqlite/worker-store.ts')
  const file = storeFile(dataDir)
  const isNew = isNewStore(file)
  const { store } = await startStoreWorker(file, 'owner', options.onCrash)
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
export async function connectStore(settings: StoreSettings, options: JoinOptions): Promise<Store> {
  const store = await connectEngine(settings, options)
  return settings.erasureList === undefined ? store : notingChanges(store, settings.erasureList)
}

async function connectEngine({ dataDir, databaseUrl }: StoreSettings, options: JoinOptions): Promise<Store> {
  const { access, now = Date.now, busyTimeoutMs = BUSY_TIMEOUT_MS, giveUpAfterMs = 0 } = options
  if (databaseUrl !== null) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore(databaseUrl, { access: 'client', giveUpAfterMs })
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts')
  return openSqliteStore(storeFile(dataDir), { access, now, busyTimeoutMs })
}

/** The desk's two ways into the store: a question that takes long must delay neither its changes nor anybody's capture. */
export interface DeskStores {
  readonly store: Store
  readonly reader: Store
  close(): Promise<void>
}

/** A question of the desk that takes longer is given up, and whoever asked it is told so. */
const GIVE_UP_MS = 10_000

/** For the desk, beside a server that may be running: it neither makes a store nor brings it up to date. */
export async function connectDeskStores(
  settings: StoreSettings,
  { onCrash }: Pick<ServerStoreOptions, 'onCrash'>,
): Promise<DeskStores> {
  const opened: { close(): Promise<void> }[] = []
  const opening = async <T extends { close(): Promise<void> }>(one: Promise<T>): Promise<T> => {
    opened.push(await one)
    return one
  }
  const close = async () => void (await Promise.all(opened.map(each => each.close())))
  try {
    const ways = await deskWays(settings, onCrash)
    const changes = await opening(ways.openForChanges())
    const store = settings.erasureList === undefined ? changes : notingChanges(changes, settings.erasureList)
    const reader = await opening(ways.openForQuestions())
    return { store, reader, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function deskWays({ dataDir, databaseUrl }: StoreSettings, onCrash: ServerStoreOptions['onCrash']) {
  if (databaseUrl !== null) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return {
      openForChanges: () => openPostgresStore(databaseUrl, { access: 'client' }),
      openForQuestions: () => openPostgresStore(databaseUrl, { access: 'client', giveUpAfterMs: GIVE_UP_MS }),
    }
  }
  const { createReadWorker, startStoreWorker } = await import('./sqlite/worker-store.ts')
  const file = storeFile(dataDir)
  return {
    openForChanges: () => startStoreWorker(file, 'write', onCrash).then(({ store }) => store),
    openForQuestions: () => createReadWorker(() => startStoreWorker(file, 'read', () => {}), GIVE_UP_MS),
  }
}

export async function inspectStore(
  { dataDir, databaseUrl }: StoreSettings,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: Pick<JoinOptions, 'busyTimeoutMs'>,
): Promise<StoreHealth> {
  if (databaseUrl !== null) {
    const { inspectPostgresStore } = await import('./postgres/health.ts')
    return inspectPostgresStore(databaseUrl)
  }
  const { inspectSqliteStore } = await import('./sqlite/health.ts')
  return inspectSqliteStore(storeFile(dataDir), busyTimeoutMs)
}

/** A copy of the whole store while the server goes on using it. While it is made, it is called `COPY.part`. */
export async function backUpStore(
  { dataDir, databaseUrl }: StoreSettings,
  copy: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: Pick<JoinOptions, 'busyTimeoutMs'>,
): Promise<BackupResult> {
  if (databaseUrl !== null) {
    const { backUpPostgres } = await import('./postgres/backup.ts')
    return backUpPostgres(databaseUrl, copy)
  }
  const { backUpStore: backUpSqlite } = await import('./sqlite/backup.ts')
  return backUpSqlite(storeFile(dataDir), copy, busyTimeoutMs)
}

export interface RestorePlan {
  readonly copy: StoreContents
  /** What the copy would replace; null where nothing can be read. */
  readonly present: StoreContents | null
  carryOut(order: Pick<RestoreOrder, 'changes' | 'key' | 'now'>): Promise<Restored>
}

/** Looks at a copy of the embedded store, and at the store that it is to replace. Nothing is changed yet. */
export async function planRestore(
  { dataDir }: Pick<StoreSettings, 'dataDir'>,
  copy: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: Pick<JoinOptions, 'busyTimeoutMs'>,
): Promise<RestorePlan> {
  const { inspectCopy, inspectPresent, restoreCopy } = await import('./sqlite/restore.ts')
  const store = storeFile(dataDir)
  const contents = inspectCopy(copy)
  const present = inspectPresent(store, busyTimeoutMs)
  return { copy: contents, present, carryOut: order => restoreCopy({ ...order, store, copy, present }) }
}

export interface MoveOptions extends Pick<JoinOptions, 'busyTimeoutMs'> {
  readonly onProgress: (leads: number, total: number) => void
}

/** From the embedded store to PostgreSQL. Returns how many leads there are, and where the old store is kept. */
export async function moveStore(
  { dataDir }: Pick<StoreSettings, 'dataDir'>,
  databaseUrl: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS, onProgress }: MoveOptions,
): Promise<{ readonly leads: number; readonly oldStore: string }> {
  const { fillPostgres } = await import('./postgres/copy-target.ts')
  const { openSqliteSource } = await import('./sqlite/copy-source.ts')
  const { copyTables } = await import('./copy.ts')
  const source = openSqliteSource(storeFile(dataDir), busyTimeoutMs)
  try {
    const leads = await fillPostgres(databaseUrl, target =>
      copyTables(source, target, done => onProgress(done, source.leads)),
    )
    return { leads, oldStore: source.putAway() }
  } finally {
    source.close()
  }
}
