/** The receiver of leads. It says yes only when a lead is on disk, and says the same for a new lead, a repeat and a held one. */
import { Hono } from 'hono'
import { DatabaseUnavailable } from './database.ts'
import { isPrefetch } from './own-pages.ts'
import { createReceiveForm, type ReceiveFormServices } from './receive-form.ts'
import { createReceiveQuery, type ReceiveQueryServices } from './receive-query.ts'
import { type ReceiverEnv, type Refuse, received } from './received.ts'

export interface ReceiverServices extends ReceiveQueryServices, ReceiveFormServices {
  /** The page that tells a visitor without JavaScript that the form was not taken. */
  readonly renderProblem: (status: number) => string
}

const QUERY_LIMIT = 6 * 1024

/** When a visitor may try again after the database took no writes. */
const RETRY_AFTER_SECONDS = 30

/** Answers at the path that it is mounted at: `app.route('/api/leads', createReceiver(…))`. */
export function createReceiver(services: ReceiverServices): Hono<ReceiverEnv> {
  const receiver = new Hono<ReceiverEnv>()
  const receiveQuery = createReceiveQuery(services)
  const receiveForm = createReceiveForm(services)

  receiver.use(async (context, next) => {
    context.header('cache-control', 'no-store')
    await next()
  })

  receiver.all('/', async context => {
    const { method } = context.req
    // Looked at here and not left to the router, which would take a HEAD for a GET and store a lead.
    if (method !== 'GET' && method !== 'POST') {
      const message = 'Leads are sent with GET or POST.'
      return context.json({ status: 'refused', message }, 405, { allow: 'GET, POST' })
    }
    const refuse: Refuse =
      method === 'GET'
        ? (status, message, headers) => context.json({ status: 'refused', message }, status, headers)
        : (status, _message, headers) => context.html(services.renderProblem(status), status, headers)
    // A Host header such as 99999999999 gets past the server, and makes no address.
    const url = URL.parse(context.req.url)
    if (!url) return refuse(400, 'The request has no valid address.')
    const request = received(context, url, refuse)

    if (isPrefetch(request.header)) return refuse(403, 'A lead is sent by a visitor, not ahead of one.')
    if (url.search.slice(1).length > QUERY_LIMIT) return refuse(414, 'The lead is too long.')
    try {
      return await (method === 'GET' ? receiveQuery(request) : receiveForm(request))
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      return refuse(503, 'Leads cannot be received at the moment.', { 'retry-after': `${RETRY_AFTER_SECONDS}` })
    }
  })

  return receiver
}
