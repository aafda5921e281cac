/** The cookie of a session: never readable by a script, never sent with another site's request. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { hashToken } from '../../../server/store/desk/tokens.ts'

/** Browsers hold a `__Host-` cookie to this very name, this path and https; they count http://localhost as safe, too. */
const NAME = '__Host-desk'

const attributes = { path: '/', httpOnly: true, secure: true, sameSite: 'Strict' } as const

export function sessionHash(context: Context): string | null {
  return hashToken(getCookie(context, NAME))
}

export function setSession(context: Context, token: string, lastsMs: number): void {
  setCookie(context, NAME, token, { ...attributes, maxAge: Math.floor(lastsMs / 1000) })
}

export function clearSession(context: Context): void {
  deleteCookie(context, NAME, attributes)
}
