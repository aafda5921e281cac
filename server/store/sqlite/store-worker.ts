/** The embedded store's worker thread, started by `worker-store.ts`. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from './sqlite-store.ts'
import { type StoreWorkerData, serveCalls } from './worker-store.ts'

const { file, access } = workerData as StoreWorkerData
const opening = (async () => openSqliteStore(file, { access }))()
const { emit } = serveCalls(
  parentPort as MessagePort,
  opening.then(store => ({ ...store, opened: () => {} })),
)
opening.then(
  store => void store.onDue(() => emit('due')),
  // Ignore it here, because every call fails with this error.
  () => {},
)
