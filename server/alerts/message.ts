/** An alert as a message for people, without personal data: whoever writes an alert's text puts counts into it only. */
import { logEvents } from '../log-events.ts'
import { type AlertCode, alertKinds } from './alert-kinds.ts'

export interface Notice {
  readonly code: string
  readonly text: string
  /** Which process it is about; empty when it is about all of them. */
  readonly source: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** How often it was told before. */
  readonly told: number
}

export function messageOf({ code, text, source, startedAt, endedAt, told }: Notice, site: string): string {
  const place = [site, source, code].filter(Boolean).join(', ')
  const since = `since ${minute(startedAt)}`
  if (endedAt !== null) return `OVER: ${overWords(code)} (${place}; ${since}, until ${minute(endedAt)}: ${text})`
  return `${told === 0 ? 'ALERT' : 'STILL'}: ${text} (${place}; ${since})`
}

/** A store may hold codes of a newer program. */
function overWords(code: string): string {
  const kind = Object.hasOwn(alertKinds, code) ? alertKinds[code as AlertCode] : undefined
  const words = kind ? logEvents[kind.over] : 'it has ended'
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** In UTC, so that two readers in two places read the same. */
export function minute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
