/** The whole desk: guards, then the API, then the pages. The API's type is the contract with the browser. Tests run this app. */
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { describeError } from '../../server/process/log.ts'
import { QueryTimeoutError, StoreUnavailable, StoreUnusable } from '../../server/store/store-errors.ts'
import { ApiError } from './api-error.ts'
import { createAuthRoutes } from './auth/routes.ts'
import { createCallRoutes } from './calls/routes.ts'
import { createCampaignRoutes } from './campaigns.ts'
import { createCostRoutes } from './costs.ts'
import { createDoNotCallRoutes } from './do-not-call.ts'
import { addHeaders, guardOrigin, guardSession, logRequests } from './guards.ts'
import { createHealthRoutes } from './health.ts'
import { createJobRoutes } from './jobs.ts'
import { createLeadFinder } from './leads/finder.ts'
import { createLeadRoutes } from './leads/routes.ts'
import { createPages, isOpenedInBrowser, isPageRequest, sendDocument } from './pages.ts'
import { createPeopleRoutes } from './people.ts'
import { createRecordRoutes } from './records.ts'
import { limitBody, readWholeBody, refuseUnstorable, UNREADABLE } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'
import { createSetupRoutes } from './setup.ts'
import { createTodayRoutes } from './today.ts'
import { createViews } from './views.ts'

/** The type for `hc` in desk/browser/client.ts. guards.ts has the role that each route requires. */
export type DeskApi = ReturnType<typeof createApi>

function createApi(given: DeskServices) {
  const { reader, config, site } = given
  const hours = () => ({ ...config.callingHours, closed: site().copy.closed })
  const services = { ...given, views: createViews(given), hours }
  const finder = createLeadFinder(reader)
  return new Hono<DeskRequest>()
    .route('/session', createAuthRoutes(services))
    .route('/leads', createLeadRoutes(services, finder))
    .route('/calls', createCallRoutes(services))
    .route('/do-not-call', createDoNotCallRoutes(services))
    .route('/jobs', createJobRoutes(services, finder))
    .route('/today', createTodayRoutes(services))
    .route('/campaigns', createCampaignRoutes(services))
    .route('/costs', createCostRoutes(services))
    .route('/health', createHealthRoutes(services))
    .route('/people', createPeopleRoutes(services))
    .route('/setup', createSetupRoutes(services))
    .route('/records', createRecordRoutes(services))
    .get('/pulse', async context => context.json(await reader.pulse()))
}

export function createDesk(services: DeskServices): Hono<DeskRequest> {
  const { log, origin, pages } = services
  const app = new Hono<DeskRequest>()
  app.use(logRequests(log), addHeaders(origin), guardOrigin(origin))
  // The session comes first: strangers could fill the memory with bodies.
  const guard = guardSession(services)
  app.use('/api/*', guard, refuseUnstorable, limitBody(), readWholeBody(guard))
  app.route('/api', createApi(services))
  if (pages) app.route('/', createPages(pages))

  app.notFound(context => {
    if (pages && isPageRequest(context)) return sendDocument(context, pages, 404)
    throw notFound()
  })
  app.onError((error, context) => {
    const apiError = error instanceof ApiError ? error : toApiError(error)
    if (apiError.code === 'failed' || error instanceof StoreUnusable) log('request_failed', describeError(error))
    if (isOpenedInBrowser(context)) return context.text(`${apiError.message}\n`, apiError.status, apiError.headers)
    return context.json(apiError.body, apiError.status, apiError.headers)
  })
  return app
}

function toApiError(error: unknown): ApiError {
  if (error instanceof HTTPException && error.status === 400) return new ApiError('bad request', UNREADABLE)
  if (error instanceof QueryTimeoutError) {
    return new ApiError('took too long', 'That took too long. Narrow the dates or add a filter.')
  }
  if (error instanceof StoreUnavailable) {
    return new ApiError('store unavailable', 'The database can’t be reached right now. Try again in a moment.')
  }
  // The message tells operators what to do.
  if (error instanceof StoreUnusable) return new ApiError('conflict', error.message)
  return new ApiError('failed', 'Something went wrong. Try again. If it keeps happening, tell your manager.')
}

function notFound(): ApiError {
  return new ApiError('not found', 'There’s nothing at this address.')
}
