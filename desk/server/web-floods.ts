/** Floods of requests from the website, for editors: review the entries, and take them back together. */
import { Hono } from 'hono'
import { maxLength, minLength, number, object, pipe, string, trim } from 'valibot'
import { formatPhone } from '../../domain/phone.ts'
import { MAX_REASON_LENGTH } from '../limits.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest } from './services.ts'
import type { RouteServices } from './views.ts'

const PAGE_SIZE = 100
/** How long a flood is shown. */
const SHOWN_MS = 30 * 24 * 60 * 60_000

const period = { since: number(), until: number() }
const entriesBody = object({ ...period, after: pipe(string(), maxLength(320)) })
const takeBackBody = object({ ...period, reason: pipe(string(), trim(), minLength(1), maxLength(MAX_REASON_LENGTH)) })

export function createFloodRoutes({ store, reader, now, views }: RouteServices) {
  return new Hono<DeskRequest>()
    .get('/', async context => {
      const until = now()
      return context.json({ floods: await reader.webFloods({ since: until - SHOWN_MS, until }) })
    })
    .post('/entries', jsonBody(entriesBody), async context => {
      const entries = await reader.webStops({ ...context.req.valid('json'), limit: PAGE_SIZE })
      await views.list(
        context.get('person').name,
        entries.map(({ contact }) => contact),
      )
      return context.json({
        entries: entries.map(({ contact, at, hasLead }) => ({
          shown: contact.includes('@') ? contact : formatPhone(contact),
          at,
          hasLead,
        })),
        next: entries.length < PAGE_SIZE ? null : (entries.at(-1)?.contact ?? null),
      })
    })
    .post('/take-back', jsonBody(takeBackBody), async context => {
      const removed = await store.takeBackWebStops({ ...context.req.valid('json'), by: context.get('person').name })
      return context.json({ removed: removed.length })
    })
}
