/** Answers with a file of the site: the right encoding, caching that can be trusted, and nothing but GET and HEAD. */
import type { Context } from 'hono'
import { chooseRepresentation } from './accept-encoding.ts'
import type { LoadedFile } from './load-site.ts'
import { contentSecurityPolicy, type LeadSettings } from './security-headers.ts'

export const ALLOWED_METHODS = 'GET, HEAD'

export function serveFile(
  context: Context,
  file: LoadedFile,
  settings: LeadSettings,
  status: 200 | 404 | 500 = 200,
): Response {
  const { encoding, body, etag } = chooseRepresentation(file.representations, context.req.header('accept-encoding'))
  context.header('content-type', file.type)
  // Pages are asked for again each time, which costs a few bytes when nothing changed.
  const caching = file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  // An error may be the answer to an address that carries a lead: nobody keeps it.
  context.header('cache-control', status === 500 ? 'no-store' : caching)
  // Ranges are refused: the whole file is smaller than a round trip is long.
  context.header('accept-ranges', 'none')
  context.header('etag', etag)
  if (file.encodings.length > 0) context.header('vary', 'accept-encoding')
  if (file.inline) context.header('content-security-policy', contentSecurityPolicy(file, settings))
  if (status === 200 && isUnchanged(context.req.header('if-none-match'), etag)) return context.body(null, 304)
  if (encoding !== 'identity') context.header('content-encoding', encoding)
  context.header('content-length', String(body.length))
  return context.req.method === 'HEAD' ? context.body(null, status) : context.body(body, status)
}

/** If-None-Match may list several tags, and weak ones match as well. */
function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
