/** Answers with a file of the site: the right encoding, and caching that can be trusted. */
import { chooseRepresentation } from './accept-encoding.ts'
import type { Answer, HttpRequest } from './handler.ts'
import type { LoadedFile } from './load-site.ts'
import { contentSecurityPolicy, type LeadSettings } from './security-headers.ts'

export function serveFile(
  { header }: HttpRequest,
  file: LoadedFile,
  settings: LeadSettings,
  status: 200 | 404 | 500 = 200,
): Answer {
  const { encoding, body, etag } = chooseRepresentation(file.representations, header('accept-encoding'))
  // Pages are asked for again each time, which costs a few bytes when nothing changed.
  // A variant is for this visitor: whoever keeps pages for several must not hand it to another.
  const pageCaching = file.variant ? 'private, no-cache' : 'no-cache'
  const caching = file.immutable ? 'public, max-age=31536000, immutable' : pageCaching
  const headers = {
    'content-type': file.type,
    // An error may be the answer to an address that carries a lead: nobody keeps it.
    'cache-control': status === 500 ? 'no-store' : caching,
    // Ranges are refused: the whole file is smaller than a round trip is long.
    'accept-ranges': 'none',
    etag,
    ...(file.encodings.length > 0 && { vary: 'accept-encoding' }),
    ...(file.inline && { 'content-security-policy': contentSecurityPolicy(file, settings) }),
  }
  if (status === 200 && isUnchanged(header('if-none-match'), etag)) return { status: 304, headers, body: '' }
  return { status, headers: { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) }, body }
}

/** If-None-Match may list several tags, and weak ones match as well. */
function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
