/** The one way to the desk's API. Every refusal comes back as a Refused, with words for the person at the screen. */
import type { Refusal, RefusalCode } from '../api/session.ts'

export class Refused extends Error {
  readonly code: RefusalCode | 'not connected'

  constructor(code: RefusalCode | 'not connected', message: string) {
    super(message)
    this.name = 'Refused'
    this.code = code
  }
}

interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
}

type SignedOut = () => void
let signedOut: SignedOut = () => {}

/** Whoever shows the screens is told when the session has ended, by whichever question. */
export function onSignedOut(listener: SignedOut): void {
  signedOut = listener
}

export async function ask<T>(path: string, { method, body, signal }: Ask = {}): Promise<T> {
  const answer = await send(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal ? { signal } : {}),
  })
  if (!answer.ok) throw await refusalOf(answer)
  return (answer.status === 204 ? null : await answer.json()) as T
}

/** The error behind an answer that isn't OK. Shows the sign-in page if the session has ended. */
export async function refusalOf(answer: Response): Promise<Refused> {
  const { error, message } = await refusalIn(answer)
  if (error === 'not signed in') signedOut()
  return new Refused(error, message)
}

async function send(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    // Not "nothing was changed": an answer that is lost on its way may have been a yes.
    throw new Refused('not connected', 'The desk cannot be reached just now. Check your connection, and try again.')
  }
}

async function refusalIn(answer: Response): Promise<Refusal> {
  try {
    const { error, message } = (await answer.json()) as Partial<Refusal>
    if (error && message) return { error, message }
  } catch {
    // A proxy in between answers with a page of its own.
  }
  return { error: 'failed', message: `The desk answered with an error (${answer.status}). Try again in a moment.` }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong. Try again in a moment.'
