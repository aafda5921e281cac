/** The consent record of a lead, as a page to print or to save. */
import { Hono } from 'hono'
import { createCalendar } from '../../../server/calendar.ts'
import { consentRecordOf } from '../../../server/record/consent-record.ts'
import { recordPage, recordPolicy } from '../../../server/record/record-page.ts'
import { Refused } from '../refusal.ts'
import type { DeskRequest, DeskServices } from '../services.ts'

export function createRecordRoutes({ config, now, reader, store }: DeskServices): Hono<DeskRequest> {
  const calendar = createCalendar(config.timeZone)
  return new Hono<DeskRequest>().get('/:id/record', async context => {
    const lead = await reader.find(context.req.param('id'))
    if (lead === null) throw new Refused('not found', 'There is no such lead.')
    const { name } = context.get('person')
    await store.recordLook({ id: lead.id, by: name, restMs: LOOK_RESTS_MS })
    const record = consentRecordOf(lead, { at: now(), by: name, calendar })
    const saved = context.req.query('save') !== undefined
    return context.body(recordPage(record), 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': recordPolicy,
      ...(saved && { 'content-disposition': `attachment; filename="consent-record-${lead.id}.html"` }),
    })
  })
}

/** Whoever looks again within this time is not written down again. */
const LOOK_RESTS_MS = 5 * 60_000
