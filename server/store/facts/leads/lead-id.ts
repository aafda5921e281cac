/** Lead IDs: UUID version 7, so sorting by ID sorts by time. */
import { randomUUID } from 'node:crypto'

const MAX_COUNT = 0xfff
let latest = { time: 0, count: 0 }

/** Numbers the leads that a process receives in the same millisecond, so they stay in order. */
export function createLeadId(now: number): string {
  latest = { time: now, count: now === latest.time ? Math.min(latest.count + 1, MAX_COUNT) : 0 }
  return idAt(now, latest.count.toString(16).padStart(3, '0') + randomUUID().slice(18))
}

/** The smallest ID for a given millisecond. */
export function firstIdAt(time: number): string {
  return idAt(Math.max(0, time), '000-8000-000000000000')
}

/** A random UUID has its variant bits in the same place as version 7, so only the start is replaced. */
function idAt(time: number, end: string): string {
  const hex = Math.floor(time).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${end}`
}

/** When the lead was received: the same time as its `received_at`. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace('-', ''), 16)
}
