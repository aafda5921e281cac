/** The desk as production makes it, over a real store, and people in front of it: browsers made of a cookie and a passkey. */
import type { Hono } from 'hono'
import { createDesk } from '../../desk/server/app.ts'
import type { DeskRequest } from '../../desk/server/services.ts'
import { readConfig } from '../../server/config.ts'
import type { Log } from '../../server/log.ts'
import type { DeskRole } from '../../server/store/accounts.ts'
import { createToken } from '../../server/store/accounts.ts'
import { notingChanges } from '../../server/store/carry-over.ts'
import type { Store } from '../../server/store/store.ts'
import { ERASURE_KEY } from '../faults/lead-store.ts'
import { createAuthenticator, type SoftwareAuthenticator } from './software-authenticator.ts'

export const DESK = 'http://localhost:3001'

export interface DeskOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly log?: Log
  readonly now?: () => number
  readonly origin?: string
}

export interface DeskUnderTest {
  readonly app: Hono<DeskRequest>
  readonly store: Store
  /** As the `leads` command does it: the token of the link. */
  invite(name: string, role?: DeskRole | null): Promise<string>
  /** Somebody who has come in by an invitation. */
  signedIn(name: string, role?: DeskRole): Promise<Visitor>
  visitor(): Visitor
}

/** One browser. */
export interface Visitor {
  cookie: string
  readonly authenticator: SoftwareAuthenticator
  /** A request as the desk's own page makes it; a body makes it a POST. */
  ask(path: string, request?: Asked): Promise<Response>
}

export interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function deskOver(
  store: Store,
  { env = {}, log = () => {}, now = Date.now, origin = DESK }: DeskOptions = {},
): DeskUnderTest {
  const config = readConfig({ TIME_ZONE: 'America/New_York', ERASURE_KEY, ...env })
  const noting = env['ERASURE_LIST'] === undefined ? store : notingChanges(store, config.erasureList)
  const app = createDesk({ config, store: noting, reader: store, origin, now, log, demo: false })

  function visitor(): Visitor {
    const self: Visitor = {
      cookie: '',
      authenticator: createAuthenticator({ origin }),
      async ask(path, { method, body, headers = {} } = {}) {
        const answer = await app.request(`${origin}${path}`, {
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            host: new URL(origin).host,
            ...(body !== undefined || (method ?? 'GET') !== 'GET' ? { origin } : {}),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            'sec-fetch-site': 'same-origin',
            ...(self.cookie === '' ? {} : { cookie: self.cookie }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        })
        const set = answer.headers.get('set-cookie')?.split(';')[0]
        if (set !== undefined) self.cookie = set.endsWith('=') ? '' : set
        return answer
      },
    }
    return self
  }

  async function invite(name: string, role: DeskRole | null = null): Promise<string> {
    const { token, hash } = createToken()
    await store.invite({ name, role, tokenHash: hash, lastsMs: 3_600_000, by: 'root@here' })
    return token
  }

  return {
    app,
    store,
    invite,
    visitor,
    async signedIn(name, role = 'editor') {
      const someone = visitor()
      const answer = await register(someone, await invite(name, role))
      if (!answer.ok) throw new Error(`signing in failed: ${await answer.text()}`)
      return someone
    },
  }
}

/** Opens the link of an invitation and registers a passkey. */
export async function register(visitor: Visitor, token: string): Promise<Response> {
  const opened = await visitor.ask('/api/session/invitation', { body: { token } })
  if (!opened.ok) return opened
  const { challengeId, options } = (await opened.json()) as never
  const answer = visitor.authenticator.register(options)
  return visitor.ask('/api/session/registration', { body: { token, challengeId, answer } })
}

export async function signIn(visitor: Visitor): Promise<Response> {
  const { challengeId, options } = (await (
    await visitor.ask('/api/session/sign-in/options', { body: {} })
  ).json()) as never
  return visitor.ask('/api/session/sign-in', { body: { challengeId, answer: visitor.authenticator.signIn(options) } })
}
