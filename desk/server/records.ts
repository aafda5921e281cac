/** Checks a contact record that someone saved. The file isn't stored. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { checkRecord } from '../../server/record/check-record.ts'
import { findKey } from '../../server/settings/installation-key.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const checkBody = v.object({ html: v.string() })

export const createRecordRoutes = ({ config }: DeskServices) =>
  new Hono<DeskRequest>().post('/check', jsonBody(checkBody), context => {
    const { kind, keyId, old } = checkRecord(context.req.valid('json').html, findKey(config))
    return context.json({ kind, keyId, isOld: old !== null })
  })
