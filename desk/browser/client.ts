/** The client for the desk's API. Its types come from the server's routes: a wrong path, body, or response doesn't compile. */
import { type ClientResponse, hc, type InferRequestType, type InferResponseType } from 'hono/client'
import type { Refusal, RefusalCode } from '../server/api-error.ts'
import type { DeskApi } from '../server/app.ts'

export class ApiError extends Error {
  readonly code: RefusalCode | 'not connected'

  constructor(code: RefusalCode | 'not connected', message: string) {
    super(message)
    this.name = 'ApiError'
    this.code = code
  }
}

export const api = hc<DeskApi>('/api', { fetch: send })

export type Session = InferResponseType<typeof api.session.$get>
export type Invitation = InferResponseType<typeof api.session.invitation.$post>
export type Passkeys = InferResponseType<typeof api.session.passkeys.$get>
export type Today = InferResponseType<typeof api.today.$get>
/** A number that opens a list, or none. */
export type Figure = Campaigns['campaigns'][number]['leads']
export type TodayCalls = InferResponseType<typeof api.today.calls.$get>
export type Costs = InferResponseType<typeof api.costs.$get>
export type Campaigns = InferResponseType<typeof api.campaigns.$get>
export type Health = InferResponseType<typeof api.health.$get>
export type People = InferResponseType<typeof api.people.$get>
export type Setup = InferResponseType<typeof api.setup.$get>
export type SiteText = InferResponseType<typeof api.setup.texts.$get>[number]
export type LeadsPage = InferResponseType<typeof api.leads.search.$post>
export type LeadSummary = LeadsPage['leads'][number]
export type LeadsCount = InferResponseType<typeof api.leads.count.$post>
export type LeadsFilter = InferRequestType<typeof api.leads.count.$post>['json']['filter']
export type Lead = InferResponseType<(typeof api.leads)[':id']['$get']>
export type LeadActionRequest = InferRequestType<(typeof api.leads)[':id']['actions']['$post']>['json']
export type CallList = InferResponseType<typeof api.calls.$get>
export type ListedCall = CallList['ready'][number]
export type CallState = InferResponseType<(typeof api.calls)[':id']['$get']>
export type IncomingNumber = InferResponseType<typeof api.calls.incoming.number.$post>
export type AddedPerson = InferResponseType<typeof api.calls.people.$post>
export type PhoneWords = InferResponseType<typeof api.calls.people.words.$get>
export type CallOutcomeRequest = InferRequestType<(typeof api.calls)[':id']['outcome']['$post']>['json']
export type JobSpec = InferRequestType<typeof api.jobs.count.$post>['json']
export type JobRequest = InferRequestType<typeof api.jobs.$post>['json']
export type Job = InferResponseType<(typeof api.jobs)[':id']['$get']>

let signedOut = () => {}

/** Sets the listener to call when a response shows that the session has ended. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener
}

let headersOfPage = (): Readonly<Record<string, string>> => ({})

/** Sets what each request says about the page, such as who is signed in on it. */
export function sendWithRequests(headers: () => Readonly<Record<string, string>>): void {
  headersOfPage = headers
}

/** Returns the response body, or throws an ApiError with a message for the user. */
export async function unwrap<T>(request: Promise<ClientResponse<T, number, 'json'>>): Promise<T> {
  const response = await request
  if (!response.ok) throw await apiErrorFrom(response)
  return (await response.json()) as T
}

/** Turns an error response into an ApiError. Shows the sign-in page if the session has ended. */
export async function apiErrorFrom(response: Pick<Response, 'json' | 'status'>): Promise<ApiError> {
  const refusal: Partial<Refusal> | null = await response.json().catch(() => null)
  if (refusal?.error === 'not signed in') signedOut()
  // A proxy might respond with its own error page.
  return refusal?.error && refusal.message
    ? new ApiError(refusal.error, refusal.message)
    : new ApiError('failed', `The desk returned an error (${response.status}). Try again in a moment.`)
}

async function send(input: RequestInfo | URL, request?: RequestInit): Promise<Response> {
  const headers = new Headers(request?.headers)
  for (const [name, value] of Object.entries(headersOfPage())) headers.set(name, value)
  try {
    return await fetch(input, { ...request, headers })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    // Don't claim that nothing changed: the request might have succeeded before the connection dropped.
    throw new ApiError('not connected', 'The desk can’t be reached right now. Check your connection and try again.')
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong. Try again in a moment.'
