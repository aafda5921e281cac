/** Ids for leads: UUID version 7, so that sorting by id sorts by time, to the millisecond. */

/** Fills bytes with random values. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => unknown

const drawn = new Uint8Array(4096)
let used = drawn.length

/** Generated for many ids at once: one call costs more than the rest of an id. No byte is used twice. */
function fromStock(bytes: Uint8Array): void {
  if (used + bytes.length > drawn.length) {
    crypto.getRandomValues(drawn)
    used = 0
  }
  bytes.set(drawn.subarray(used, used + bytes.length))
  used += bytes.length
}

/** The smallest id of a millisecond. */
export function firstIdAt(time: number): string {
  return createLeadId(Math.max(0, time), () => {})
}

/** When a lead was received: the same as its `received_at`. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace('-', ''), 16)
}

export function createLeadId(now: number, fillRandom: RandomBytes = fromStock): string {
  const bytes = new Uint8Array(16)
  fillRandom(bytes)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(now / 2 ** 32))
  view.setUint32(2, now % 2 ** 32)
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f))
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f))
  const hex = Buffer.from(bytes.buffer).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
