/** Routes for calling people, while the desk has calls to make. */
import { Hono } from 'hono'
import { ApiError } from '../api-error.ts'
import { type DeskRequest, showsCalls } from '../services.ts'
import type { RouteServices } from '../views.ts'
import { createIncomingNumbers, createIncomingRoutes } from './incoming.ts'
import { createListRoutes } from './list.ts'
import { createOneCallRoutes } from './one-call.ts'
import { createPhonePeopleRoutes } from './phone-people.ts'

export function createCallRoutes(services: RouteServices) {
  const numbers = createIncomingNumbers(services.now)
  return new Hono<DeskRequest>()
    .use(async (_, next) => {
      if (!(await showsCalls(services))) throw new ApiError('not found', 'The call list is turned off.')
      await next()
    })
    .route('/', createListRoutes(services))
    .route('/incoming', createIncomingRoutes(services, numbers))
    .route('/people', createPhonePeopleRoutes(services, numbers))
    .route('/', createOneCallRoutes(services))
}
