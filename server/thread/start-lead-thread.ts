/**
 * Runs the lead service in a thread of its own. The embedded store waits for the disk, and nothing else in its thread can
 * go on meanwhile; so a slow disk delays the answer to a lead, but never a page.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { LeadService, LeadSettings } from '../lead-service.ts'
import { type Log, log as realLog } from '../log.ts'
import { type Call, createSender, OPENING, onEach, type Said, unpackError } from './messages.ts'

export interface LeadThreadOptions {
  readonly log?: Log
  /** The thread has ended by an error that nothing in it expected. What was asked of it is never answered. */
  readonly onCrash: (error: unknown) => void
}

/** A store that does not even answer takes no writes either. */
const LONGEST_READINESS_MS = 2000

export async function startLeadThread(settings: LeadSettings, options: LeadThreadOptions): Promise<LeadService> {
  const { log = realLog, onCrash } = options
  const { dataDir, webhookUrl, webhookSecret } = settings
  const thread = new Worker(new URL('./lead-thread.ts', import.meta.url), {
    workerData: { dataDir, webhookUrl, webhookSecret } satisfies LeadSettings,
  })
  thread.on('error', onCrash)
  const say = createSender<Call>(thread)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()

  function expectAnswer(id: number): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    return answer.promise
  }

  thread.on(
    'message',
    onEach<Said>(said => {
      if (said.kind === 'log') return log(...said.line)
      const answer = waiting.get(said.id)
      waiting.delete(said.id)
      if (said.kind === 'value') answer?.resolve(said.value)
      else answer?.reject(unpackError(said.error))
    }),
  )

  let calls = OPENING
  function call<Name extends keyof LeadService>(name: Name, argument?: Parameters<LeadService[Name]>[0]) {
    const id = ++calls
    say({ id, name, argument })
    return expectAnswer(id) as Promise<Awaited<ReturnType<LeadService[Name]>>>
  }

  await expectAnswer(OPENING).catch(async error => {
    await thread.terminate()
    throw error
  })
  return {
    capture: submission => call('capture', submission),
    hasConsent: version => call('hasConsent', version),
    isReady: () => Promise.race([call('isReady'), sleep(LONGEST_READINESS_MS, false, { ref: false })]),
    start: () => call('start'),
    async stop() {
      await call('stop')
      await thread.terminate()
    },
  }
}
