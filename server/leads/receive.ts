/** The receiver of leads. It says yes only when a lead is on disk, and says the same for a new lead, a repeat and a held one. */
import { type Answer, type Handler, type HttpRequest, html, json } from '../http/handler.ts'
import { DatabaseUnavailable } from './database.ts'
import { isPrefetch } from './own-pages.ts'
import { createReceiveForm, type ReceiveFormServices } from './receive-form.ts'
import { createReceiveQuery, type ReceiveQueryServices } from './receive-query.ts'
import type { ReceiveLead, Refuse } from './received.ts'

export interface ReceiverServices extends ReceiveQueryServices, ReceiveFormServices {
  /** The page that tells a visitor without JavaScript that the form was not taken. */
  readonly renderProblem: (status: number) => string
  /** The Content-Security-Policy of the pages that the receiver answers with. */
  readonly policy: string
}

const QUERY_LIMIT = 6 * 1024

/** When a visitor may try again after the database took no writes. */
const RETRY_AFTER_SECONDS = 30

export function createReceiver(services: ReceiverServices): Handler {
  const receiveQuery = createReceiveQuery(services)
  const receiveForm = createReceiveForm(services)
  const refuseQuery: Refuse = (status, message, headers) => json(status, { status: 'refused', message }, headers)
  const refuseForm: Refuse = (status, _message, headers) => html(status, services.renderProblem(status), headers)

  const answerHeaders = { 'cache-control': 'no-store' }
  const pageHeaders = { ...answerHeaders, 'content-security-policy': services.policy }

  function receive(request: HttpRequest): Answer | Promise<Answer> {
    if (request.method === 'GET') return receiveLead(request, receiveQuery, refuseQuery)
    if (request.method === 'POST') return receiveLead(request, receiveForm, refuseForm)
    return json(405, { status: 'refused', message: 'Leads are sent with GET or POST.' }, { allow: 'GET, POST' })
  }

  return async request => {
    const { status, headers, body } = await receive(request)
    return { status, headers: { ...(request.method === 'POST' ? pageHeaders : answerHeaders), ...headers }, body }
  }
}

async function receiveLead(request: HttpRequest, receive: ReceiveLead, refuse: Refuse): Promise<Answer> {
  if (isPrefetch(request.header)) return refuse(403, 'A lead is sent by a visitor, not ahead of one.')
  if (request.query.length > QUERY_LIMIT) return refuse(414, 'The lead is too long.')
  try {
    return await receive(request, refuse)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return refuse(503, 'Leads cannot be received at the moment.', { 'retry-after': `${RETRY_AFTER_SECONDS}` })
  }
}
