/**
 * Runs the embedded store in a thread of its own. SQLite waits for the disk, and nothing else in its thread can go on
 * meanwhile; so a slow disk delays the answer to a lead, but never a page.
 */
import { Worker } from 'node:worker_threads'
import type { Store } from '../../store.ts'
import {
  type Answer,
  type Call,
  createOutbasket,
  errorOf,
  OPENING,
  type Operation,
  type ThreadData,
} from './thread-messages.ts'

/** The compiler sees to it that no operation is forgotten. */
const operations: Readonly<Record<Exclude<Operation, 'close'>, true>> = {
  capture: true,
  rememberConsent: true,
  rememberQuestionnaire: true,
  presentedVersions: true,
  probe: true,
  lease: true,
  settle: true,
  nextDue: true,
  bringForward: true,
  backlog: true,
  pauseDeliveries: true,
  resumeDeliveries: true,
  deliveryPause: true,
  raiseAlert: true,
  endAlert: true,
  leaseAlert: true,
  alertTold: true,
  keepAlert: true,
  alertsSince: true,
  find: true,
  page: true,
  count: true,
  tally: true,
  latestCertificates: true,
  idsBeginningWith: true,
  leadsOfPerson: true,
  release: true,
  reject: true,
  redeliver: true,
  countRedeliverable: true,
  erase: true,
  addPageCounts: true,
  postPageCounts: true,
  countLeads: true,
  funnel: true,
  funnels: true,
  dealingSecret: true,
  eraseBefore: true,
  notErased: true,
  erasedLeadsOf: true,
  suppress: true,
  withhold: true,
  suppressedLeads: true,
  unsuppress: true,
  suppressions: true,
  invite: true,
  invitation: true,
  acceptInvitation: true,
  addChallenge: true,
  takeChallenge: true,
  passkey: true,
  passkeysOf: true,
  addPasskey: true,
  removePasskey: true,
  beginSession: true,
  session: true,
  endSession: true,
  deskPeople: true,
  signOut: true,
  dismiss: true,
  leadsAmong: true,
  countUpTo: true,
  searchableLeads: true,
  idsBetween: true,
  countBetween: true,
  erasedSince: true,
  storeTime: true,
  recordLook: true,
  recordExport: true,
  recentExports: true,
  addNote: true,
  removeNote: true,
  notesOf: true,
  suppressLead: true,
  unsuppressLead: true,
  listedContacts: true,
  webhookTimes: true,
  pulse: true,
  startJob: true,
  job: true,
  leaseJob: true,
  settleJobLeads: true,
  finishJob: true,
  storeBytes: true,
  recordBackup: true,
  lastBackup: true,
}

export interface StoreThread {
  readonly store: Store
  /** Ends it at once, whatever it is at: what was asked of it is never answered. */
  end(): Promise<void>
}

/** `onCrash`: the thread has ended by an error that nothing in it expected. What was asked of it is never answered. */
export async function startThreadedStore(
  file: string,
  onCrash: (error: unknown) => void,
  access: ThreadData['access'] = 'own',
): Promise<Store> {
  return (await startStoreThread(file, onCrash, access)).store
}

export async function startStoreThread(
  file: string,
  onCrash: (error: unknown) => void,
  access: ThreadData['access'],
): Promise<StoreThread> {
  const workerData: ThreadData = { file, access }
  const thread = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData })
  thread.on('error', onCrash)
  const send = createOutbasket<Call>(thread)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const listeners = new Set<() => void>()

  function expectAnswer(id: number): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    return answer.promise
  }

  thread.on('message', (answers: readonly Answer[]) => {
    for (const answer of answers) {
      if (answer === 'deliveries are due') {
        for (const listener of listeners) listener()
        continue
      }
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('fault' in answer) asked?.reject(errorOf(answer.fault))
      else asked?.resolve(answer.value)
    }
  })

  let calls = OPENING
  function call(operation: Operation, argument?: unknown): Promise<unknown> {
    const id = ++calls
    send({ id, operation, argument })
    return expectAnswer(id)
  }

  await expectAnswer(OPENING).catch(async error => {
    await thread.terminate()
    throw error
  })
  const called = Object.fromEntries(
    Object.keys(operations).map(name => [name, (argument: unknown) => call(name as Operation, argument)]),
  ) as unknown as Omit<Store, 'onDue' | 'close'>
  const store: Store = {
    ...called,
    onDue(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      await call('close')
      await thread.terminate()
    },
  }
  return { store, end: async () => void (await thread.terminate()) }
}
