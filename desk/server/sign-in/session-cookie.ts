/** The cookie of a session: never readable by a script, never sent with another site's request. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { hashToken } from '../../../server/store/accounts.ts'

/** Browsers hold a `__Host-` cookie to this very name, this path and https. */
const NAME = '__Host-desk'

/**
 * WebKit keeps no `Secure` cookie of http://localhost, where Chromium and Firefox do: for it there is one more without,
 * on this machine alone.
 */
const LOCAL_NAME = 'desk'

export const SESSION_MS = 12 * 3_600_000

const attributes = { path: '/', httpOnly: true, sameSite: 'Strict' } as const

export function sessionHash(context: Context): string | null {
  return hashToken(getCookie(context, NAME) ?? (isLocal(context) ? getCookie(context, LOCAL_NAME) : undefined))
}

export function setSession(context: Context, token: string, lastsMs: number): void {
  const maxAge = Math.floor(lastsMs / 1000)
  setCookie(context, NAME, token, { ...attributes, maxAge, secure: true })
  if (isLocal(context)) setCookie(context, LOCAL_NAME, token, { ...attributes, maxAge })
}

export function clearSession(context: Context): void {
  deleteCookie(context, NAME, { ...attributes, secure: true })
  if (isLocal(context)) deleteCookie(context, LOCAL_NAME, attributes)
}

/** The guards have compared the name with DESK_URL's. */
function isLocal({ req }: Context): boolean {
  const { hostname, protocol } = new URL(req.url)
  return protocol === 'http:' && hostname === 'localhost'
}
