/** A file of the site whose name carries a hash of its content, which lets browsers keep it for good. */
import { createHash } from 'node:crypto'

export interface AssetFile {
  readonly path: string
  readonly bytes: Buffer
}

export function hashed(name: string, extension: string, bytes: Buffer): AssetFile {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
  return { path: `/assets/${name}-${hash}.${extension}`, bytes }
}
