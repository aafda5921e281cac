/** The embedded store in a thread of its own; `threaded-store.ts` starts it and calls it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from '../sqlite-store.ts'
import { type Answer, type Call, carryFault, createOutbasket, OPENING, type ThreadData } from './thread-messages.ts'

const server = parentPort as MessagePort
const { file, access } = workerData as ThreadData
const reply = createOutbasket<Answer>(server)

async function answer(id: number, work: () => unknown): Promise<void> {
  try {
    reply({ id, value: await work() })
  } catch (error) {
    reply({ id, fault: carryFault(error) })
  }
}

await answer(OPENING, () => {
  const store = openSqliteStore(file, { access })
  store.onDue(() => reply('deliveries are due'))
  server.on('message', (calls: readonly Call[]) => {
    for (const { id, operation, argument } of calls) {
      void answer(id, () => (store[operation] as (argument: unknown) => unknown)(argument))
    }
  })
})
