/** Today, in one answer. */
import { Hono } from 'hono'
import type { TodayAnswer } from '../../api/today.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { createToday } from '../today/today.ts'

export function createTodayRoutes({ reader, config }: DeskServices): Hono<DeskRequest> {
  const figures = createToday(reader, config)
  return new Hono<DeskRequest>().get('/', async context => context.json<TodayAnswer>(await figures()))
}
