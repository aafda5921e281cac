/** Whether a number may be called: the hours where the person is, and how often it was called. */
import type { Place } from '../../../domain/calling/area-codes.ts'
import { ATTEMPTS_PER_DAY, attemptAllowedAt } from '../../../domain/calling/attempts.ts'
import { type CallingClock, type CallingHours, createCallingClock } from '../../../domain/calling/hours.ts'
import type { WaitReason } from '../../../domain/calling/list.ts'
import { createWaitingTime, type WaitingTime } from '../../../domain/calling/waiting-time.ts'
import type { Sql } from '../sql.ts'

const DAY_MS = 24 * 60 * 60_000

/** Someone who hasn't been called for this long needs attention. */
export const LONG_WAIT_MS = 30 * 60_000

/** Why a call isn't possible, and when it is. */
export interface CallBlock {
  readonly why: WaitReason
  readonly message: string
  readonly next: number | null
}

export interface CallTime {
  readonly at: number
  readonly phone: string
  readonly place: Place | null
  readonly clock: CallingClock
}

const clocks = new Map<string, CallingClock>()

/** Kept, because a clock remembers which places are open. */
export function clockOf(hours: CallingHours): CallingClock {
  const key = JSON.stringify(hours)
  const clock = clocks.get(key) ?? createCallingClock(hours)
  clocks.set(key, clock)
  return clock
}

const waitingTimes = new Map<string, WaitingTime>()

/** Kept, because it remembers when places were open. */
export function waitingTimeOf(hours: CallingHours): WaitingTime {
  const key = JSON.stringify(hours)
  const waitingTime = waitingTimes.get(key) ?? createWaitingTime(clockOf(hours))
  waitingTimes.set(key, waitingTime)
  return waitingTime
}

/** Attempts that were neither undone nor withdrawn. */
export const STANDING = `call_attempts.corrects IS NULL AND NOT EXISTS (SELECT 1 FROM call_attempts AS later
  WHERE later.lead_id = call_attempts.lead_id AND later.corrects = call_attempts.id)`

/** When numbers were called in the last 24 hours. A call without an outcome yet counts. With `phone`: only that number. */
export async function lastDaysCalls(
  sql: Sql,
  at: number,
  phone: string | null = null,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const number = phone === null ? 'phone IS NOT NULL' : 'phone = $2'
  const rows = await sql<{ phone: string; at: number }>(
    `SELECT phone, started_at AS at FROM call_attempts WHERE started_at > $1 AND ${number} AND ${STANDING}
     UNION ALL SELECT phone, started_at AS at FROM call_starts WHERE started_at > $1 AND ${number}`,
    [at - DAY_MS, ...(phone === null ? [] : [phone])],
  )
  return new Map(
    [...Map.groupBy(rows, row => row.phone)].map(([number, calls]) => [number, calls.map(call => call.at)]),
  )
}

/** Null if the number may be called at that time. `alsoAt`: a call that counts, whether or not it's stored yet. */
export async function blockAt(
  sql: Sql,
  { at, phone, place, clock }: CallTime,
  alsoAt: number | null = null,
): Promise<CallBlock | null> {
  const stored = (await lastDaysCalls(sql, at, phone)).get(phone) ?? []
  const isMissing = alsoAt !== null && alsoAt > at - DAY_MS && !stored.includes(alsoAt)
  const calls = isMissing ? [...stored, alsoAt] : stored
  const allowedAt = attemptAllowedAt(calls)
  if (place !== null && allowedAt > at) {
    const message =
      calls.length < ATTEMPTS_PER_DAY
        ? 'This number was called less than an hour ago.'
        : `This number was called ${calls.length} times in 24 hours.`
    return { why: 'limit', message, next: clock.nextOpening(place, allowedAt)?.from ?? null }
  }
  return blockByHours({ at, place, clock })
}

/** Null if the hours allow a call at that time, whatever the limits say. */
export function blockByHours({ at, place, clock }: Omit<CallTime, 'phone'>): CallBlock | null {
  const status = clock.at(place, at)
  if (status.allowed) return null
  return { why: status.why === 'unknown place' ? 'place' : 'hours', message: status.message, next: status.next }
}
