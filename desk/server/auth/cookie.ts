/** The session cookie: scripts can't read it, and requests from other sites don't include it. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { hashToken } from '../../../server/store/operations/desk/accounts.ts'

/** Browsers enforce the `__Host-` prefix: only this host, path `/`, and https. */
const NAME = '__Host-desk'

/** WebKit rejects `Secure` cookies on http://localhost, so on localhost there's a second cookie without it. */
const LOCAL_NAME = 'desk'

export const SESSION_MS = 12 * 3_600_000

const attributes = { path: '/', httpOnly: true, sameSite: 'Strict' } as const

export function sessionHash(context: Context): string | null {
  return hashToken(getCookie(context, NAME) ?? (isLocal(context) ? getCookie(context, LOCAL_NAME) : undefined))
}

export function setSession(context: Context, token: string, ttlMs: number): void {
  const maxAge = Math.floor(ttlMs / 1000)
  setCookie(context, NAME, token, { ...attributes, maxAge, secure: true })
  if (isLocal(context)) setCookie(context, LOCAL_NAME, token, { ...attributes, maxAge })
}

export function clearSession(context: Context): void {
  deleteCookie(context, NAME, { ...attributes, secure: true })
  if (isLocal(context)) deleteCookie(context, LOCAL_NAME, attributes)
}

/** The origin guard has already checked that the host matches DESK_URL. */
function isLocal({ req }: Context): boolean {
  const { hostname, protocol } = new URL(req.url)
  return protocol === 'http:' && hostname === 'localhost'
}
