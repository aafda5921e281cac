/** The lead service in a thread of its own; `start-lead-thread.ts` starts it and calls it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type LeadSettings, openLeadService } from '../lead-service.ts'
import { type Call, carryError, createSender, OPENING, onEach, type Said } from './messages.ts'

const line = parentPort as MessagePort
const say = createSender<Said>(line)

async function answer(id: number, work: () => unknown): Promise<void> {
  try {
    say({ kind: 'value', id, value: await work() })
  } catch (error) {
    say({ kind: 'error', id, error: carryError(error) })
  }
}

const opening = openLeadService(workerData as LeadSettings, (...logged) => say({ kind: 'log', line: logged }))
void answer(OPENING, () => opening.then(() => {}))

line.on(
  'message',
  onEach<Call>(({ id, name, argument }) =>
    answer(id, async () => ((await opening)[name] as (argument: unknown) => unknown)(argument)),
  ),
)
