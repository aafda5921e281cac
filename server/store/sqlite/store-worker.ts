/** The embedded store's worker thread, started by `worker-store.ts`. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from './sqlite-store.ts'
import { emitNow, type StoreWorkerData, serveCalls } from './worker-store.ts'

const { file, access, settings } = workerData as StoreWorkerData
const port = parentPort as MessagePort
// Sent at once, because the upgrade blocks this thread.
const onUpgrade = () => emitNow(port, 'upgrading')
const opening = (async () => openSqliteStore(file, { access, settings, onUpgrade }))()
const { emit } = serveCalls(
  port,
  opening.then(store => ({ ...store, opened: () => {} })),
)
opening.then(
  store => void store.onDue(() => emit('due')),
  // Ignore it here, because every call fails with this error.
  () => {},
)
