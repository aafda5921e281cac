/** Lead IDs: UUID version 7, so sorting by ID sorts by time, to the millisecond. */
import { randomUUID } from 'node:crypto'

export function createLeadId(now: number): string {
  return idAt(now, randomUUID().slice(15))
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
