/** Ids for leads: UUID version 7, so that sorting by id sorts by time, to the millisecond. */

/** Fills bytes with chance: `crypto.getRandomValues` in production. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => unknown

/** The smallest id of a millisecond. */
export function firstIdAt(time: number): string {
  return createLeadId(Math.max(0, time), () => {})
}

/** When a lead was received: the same as its `received_at`. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace('-', ''), 16)
}

export function createLeadId(now: number, fillRandom: RandomBytes): string {
  const bytes = new Uint8Array(16)
  fillRandom(bytes)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(now / 2 ** 32))
  view.setUint32(2, now % 2 ** 32)
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f))
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f))
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
