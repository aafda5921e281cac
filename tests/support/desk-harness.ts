/** A new desk and store for each test, with an editor signed in. */
import { afterEach, beforeEach } from 'vitest'
import type { Submission } from '../../server/store/operations/leads/capture.ts'
import { createTestDesk, type DeskClient, type TestDesk } from './desk.ts'
import { submissionOf } from './lead-store.ts'
import { type Engine, engines, type OpenEngine } from './store-engines.ts'

export interface DeskHarness extends OpenEngine {
  readonly desk: TestDesk
  /** An editor. */
  readonly maria: DeskClient
  /** Returns the lead's ID. */
  capture(name: string, differences?: Partial<Submission>): Promise<string>
}

/** `harness`: the one to set, if a file runs some of its tests on one engine and some on each. */
export function deskPerTest(engine: Engine = engines[0] as Engine, harness = {} as DeskHarness): DeskHarness {
  beforeEach(async () => {
    const open = await engine.open()
    const desk = createTestDesk(open.store)
    const consentVersion = await open.store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
    const capture: DeskHarness['capture'] = async (name, differences = {}) =>
      (await open.store.capture({ ...submissionOf(name, consentVersion), ...differences })).id
    Object.assign(harness, open, { desk, maria: await desk.signedIn('Maria Lopez', 'editor'), capture })
  })
  afterEach(() => harness.remove())
  return harness
}

/** The response body. Throws unless the status is 200. */
export async function bodyOf<T>(request: Promise<Response> | Response): Promise<T> {
  const response = await request
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** The status and the message that the user sees. */
export async function refusalOf(request: Promise<Response>): Promise<readonly [status: number, message: string]> {
  const response = await request
  return [response.status, ((await response.json()) as { message: string }).message]
}
