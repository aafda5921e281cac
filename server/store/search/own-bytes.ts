/**
 * The bytes of a text in memory that is theirs alone. Small buffers of Node share theirs, which lasts as long as any of them: of
 * what was erased, something would stay.
 */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
