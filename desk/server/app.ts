/** The desk as a whole: guards first, then one sub-app a subject, then the pages. Tests run this very app. */
import { Hono, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { describeError } from '../../server/log.ts'
import { QueryTimeoutError, StoreUnavailable } from '../../server/store/store-errors.ts'
import { addHeaders } from './guards/headers.ts'
import { guardOrigin } from './guards/origin.ts'
import { logRequests } from './guards/request-log.ts'
import { guardSession } from './guards/session.ts'
import { createJobRunner } from './jobs/job-runner.ts'
import { createLeadFinder } from './leads/finder.ts'
import { Refused } from './refusal.ts'
import { limitBody, NUL, readWholeBody, UNREADABLE } from './request-body.ts'
import { createHealthRoutes } from './routes/health.ts'
import { createJobRoutes } from './routes/jobs.ts'
import { createLeadRoutes } from './routes/lead.ts'
import { createLeadsRoutes } from './routes/leads.ts'
import { answerNowhere, asksForPage, createPages, isOpenedInBrowser } from './routes/pages.ts'
import { createRecordRoutes } from './routes/record.ts'
import { createSessionRoutes } from './routes/session.ts'
import { createSignInRoutes } from './routes/sign-in.ts'
import { createTodayRoutes } from './routes/today.ts'
import type { DeskRequest, DeskServices } from './services.ts'

export function createDesk(services: DeskServices): Hono<DeskRequest> {
  const { log, origin } = services
  const app = new Hono<DeskRequest>()
  app.use(logRequests(log), addHeaders(origin), guardOrigin(origin))
  // The body first: a session that ends while somebody keeps theirs back must not act any more.
  app.use('/api/*', limitBody(), readWholeBody, guardSession(services), refuseNul)

  // A route that is not a GET is for those who act, unless guards/session.ts names it.
  app.route('/api/session', createSignInRoutes(services))
  app.route('/api/session', createSessionRoutes(services))
  app.route('/api/leads', createRecordRoutes(services))
  app.route('/api/health', createHealthRoutes(services))

  const finder = createLeadFinder(services.reader)
  const jobs = createJobRunner(services)
  app.route('/api/today', createTodayRoutes(services))
  app.route('/api/leads', createLeadsRoutes(services, finder))
  app.route('/api/leads', createLeadRoutes(services))
  app.route('/api/jobs', createJobRoutes(services, finder, jobs))
  app.get('/api/pulse', async context => context.json(await services.reader.pulse()))

  if (services.browser) app.route('/', createPages(services.browser))

  app.notFound(context => {
    if (services.browser && asksForPage(context)) return answerNowhere(context, services.browser)
    throw nowhere()
  })
  app.onError((error, context) => {
    const refused = error instanceof Refused ? error : refusalOf(error)
    if (refused.code === 'failed') log('request_failed', describeError(error))
    // Whoever has opened a wrong address in a browser is a person.
    if (isOpenedInBrowser(context)) return context.text(`${refused.message}\n`, refused.status, refused.headers)
    return context.json(refused.answer, refused.status, refused.headers)
  })
  return app
}

function refusalOf(error: unknown): Refused {
  if (error instanceof HTTPException && error.status === 400) return new Refused('bad request', UNREADABLE)
  if (error instanceof QueryTimeoutError) return new Refused('took too long', error.message)
  if (error instanceof StoreUnavailable) {
    return new Refused('store unavailable', 'The store cannot be reached just now. Try again in a moment.')
  }
  return new Refused('failed', 'Something went wrong here. Try again; if it stays, look at the desk’s log.')
}

const refuseNul: MiddlewareHandler = async (context, next) => {
  if (context.req.path.includes(NUL)) throw nowhere()
  await next()
}

function nowhere(): Refused {
  return new Refused('not found', 'There is nothing at this address.')
}
