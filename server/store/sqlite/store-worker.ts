/** The worker thread of the embedded store; `worker-store.ts` starts it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore, type SqliteOptions } from './sqlite-store.ts'
import { serveCalls } from './worker-rpc.ts'

export interface StoreWorkerData extends Required<Pick<SqliteOptions, 'access'>> {
  readonly file: string
}

const { file, access } = workerData as StoreWorkerData
const opening = (async () => openSqliteStore(file, { access }))()
const { emit } = serveCalls(
  parentPort as MessagePort,
  opening.then(store => ({ ...store, opened: () => {} })),
)
opening.then(
  store => void store.onDue(() => emit('due')),
  // Each call is told.
  () => {},
)
