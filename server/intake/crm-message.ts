/** Messages from the operator's CRM, signed per Standard Webhooks. Contract: docs/webhook.md. */
import { timingSafeEqual } from 'node:crypto'
import { MINUTE } from '../../domain/durations.ts'
import { isStorable } from '../../domain/text/text.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { signatureOf } from '../delivery/webhook-signature.ts'
import { type Handler, type HttpRequest, json } from '../http/handler.ts'
import { readText } from '../http/request-body.ts'
import { describeError, type Log } from '../process/log.ts'
import type { Config } from '../settings/config.ts'
import type { IntakeStore } from './availability.ts'

export interface CrmServices {
  readonly config: Pick<Config, 'crmStopSecrets' | 'timeZone'>
  readonly availability: { readonly store: () => IntakeStore }
  readonly now: () => number
  readonly log: Log
  readonly alerts: Pick<Alerts, 'raise'>
}

/** One kind of message. */
interface CrmMessage<Report> {
  /** "asked us to stop calling someone" */
  readonly what: string
  /** Null if there's nothing in it that we can record. */
  readonly read: (fields: Readonly<Record<string, unknown>>) => Report | null
  readonly expected: string
  readonly record: (store: IntakeStore, webhookId: string, report: Report) => Promise<Answer>
  readonly failed: Parameters<Log>[0]
}

interface Answer {
  readonly status: number
  readonly message: string
}

/** The longest ID of a lead or a message. */
export const MAX_ID_LENGTH = 200
const MAX_AGE_MS = 5 * MINUTE

export function createCrmHandler<Report>(services: CrmServices, kind: CrmMessage<Report>): Handler {
  const { config, availability, now, log, alerts } = services
  return async request => {
    if (config.crmStopSecrets.length === 0) return answer(404, 'CRM_STOP_SECRET is not set.')
    if (request.method !== 'POST') return answer(405, 'Method not allowed. Use POST.', { allow: 'POST' })
    const body = await readText(request)
    if (typeof body !== 'string') return answer(body.status, body.message, { connection: 'close' })
    const signed = readSigned(request, body, config.crmStopSecrets)
    const offMs = signed ? now() - signed.at : 0
    if (signed && Math.abs(offMs) > MAX_AGE_MS) alerts.raise('clocks_differ', clocksDiffer(kind.what, offMs))
    if (!signed || Math.abs(offMs) > MAX_AGE_MS)
      return answer(401, 'The signature is wrong, or the time is more than five minutes off.')
    const fields = fieldsOf(body)
    const report = fields && kind.read(fields)
    if (report === null) return answer(422, kind.expected)
    try {
      const { status, message } = await kind.record(availability.store(), signed.id, report)
      return answer(status, message)
    } catch (error) {
      log(kind.failed, describeError(error))
      return answer(503, 'Not recorded. Try again later.', { 'retry-after': '30' })
    }
  }
}

const answer = (status: number, message: string, headers = {}) =>
  json(status, { message }, { 'cache-control': 'no-store', ...headers })

function clocksDiffer(what: string, offMs: number): string {
  const minutes = Math.round(Math.abs(offMs) / MINUTE)
  return `Your CRM ${what}, and was refused, because its clock is ${minutes} minutes ${offMs > 0 ? 'behind' : 'ahead of'} this server’s. Check this server’s clock (timedatectl), then the CRM’s.`
}

/** The message's ID and time; null if the signature is wrong. */
function readSigned({ header }: Pick<HttpRequest, 'header'>, body: string, secrets: readonly string[]) {
  const [id = '', timestamp = ''] = [header('webhook-id'), header('webhook-timestamp')]
  if (id === '' || id.length > MAX_ID_LENGTH || !/^\d{1,12}$/.test(timestamp)) return null
  const received = (header('webhook-signature') ?? '').split(' ').filter(each => each.startsWith('v1,'))
  const isValid = secrets.some(secret => {
    const expected = signatureOf(secret, `${id}.${timestamp}.${body}`)
    return received.some(each => isEqual(Buffer.from(each.slice('v1,'.length), 'base64'), expected))
  })
  return isValid ? { id, at: Number(timestamp) * 1000 } : null
}

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/** Null if it isn't JSON, or can't be stored. */
function fieldsOf(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const message: unknown = JSON.parse(body)
    return isStorable(message) ? ((message ?? {}) as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}
