/** A new desk over a new store for each test, with an editor signed in. */
import { afterEach, beforeEach } from 'vitest'
import type { Submission } from '../../server/store/capture.ts'
import { type DeskUnderTest, deskOver, type Visitor } from './desk.ts'
import { submissionOf } from './lead-store.ts'
import { type Engine, engines, type OpenEngine } from './store-engines.ts'

export interface DeskScene extends OpenEngine {
  readonly desk: DeskUnderTest
  /** An editor. */
  readonly maria: Visitor
  /** Returns the lead's id. */
  capture(name: string, differences?: Partial<Submission>): Promise<string>
}

export function deskPerTest(engine: Engine = engines[0] as Engine): DeskScene {
  const scene = {} as DeskScene
  beforeEach(async () => {
    const open = await engine.open()
    const desk = deskOver(open.store)
    const consentVersion = await open.store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
    const capture: DeskScene['capture'] = async (name, differences = {}) =>
      (await open.store.capture({ ...submissionOf(name, consentVersion), ...differences })).id
    Object.assign(scene, open, { desk, maria: await desk.signedIn('Maria Lopez', 'editor'), capture })
  })
  afterEach(() => scene.remove())
  return scene
}

/** The body of a response that must be OK. */
export async function bodyOf<T>(response: Promise<Response> | Response): Promise<T> {
  const answer = await response
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}
