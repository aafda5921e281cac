/** Answers with a file of the site: the right encoding, caching that can be trusted, and nothing but GET and HEAD. */
import type { Context } from 'hono'
import { chooseRepresentation } from './accept-encoding.ts'
import type { LoadedFile } from './load-site.ts'
import { contentSecurityPolicy } from './security-headers.ts'

export const ALLOWED_METHODS = 'GET, HEAD'

export function serveFile(
  context: Context,
  file: LoadedFile,
  leadEndpoint: string,
  status: 200 | 404 | 500 = 200,
): Response {
  const { encoding, body, etag } = chooseRepresentation(file.representations, context.req.header('accept-encoding'))
  const headers = new Headers({
    'content-type': file.type,
    // Pages are asked for again each time, which costs a few bytes when nothing changed.
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Ranges are refused: the whole file is smaller than a round trip is long.
    'accept-ranges': 'none',
    etag,
  })
  if (file.encodings.length > 0) headers.set('vary', 'accept-encoding')
  if (file.inline) headers.set('content-security-policy', contentSecurityPolicy(file.inline, leadEndpoint))
  if (status === 200 && isUnchanged(context.req.header('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(context.req.method === 'HEAD' ? null : body, { status, headers })
}

/** If-None-Match may list several tags, and weak ones match as well. */
function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
