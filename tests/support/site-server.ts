/** The production app on loopback, with a real receiver behind /api/leads and a gate in front of the scripts. */
import { getRequestListener } from '@hono/node-server'
import { DIST } from '../../build/site-build.ts'
import { createApp } from '../../server/app.ts'
import { type Config, OWN_LEAD_ENDPOINT } from '../../server/config.ts'
import { loadSite } from '../../server/http/load-site.ts'
import { listen, Receiver } from './receiver.ts'

const testConfig: Config = {
  host: '127.0.0.1',
  port: 0,
  siteUrl: 'http://127.0.0.1',
  leadEndpoint: OWN_LEAD_ENDPOINT,
}

export interface SiteServer {
  readonly url: string
  readonly receiver: Receiver
  /** Holds back every script until the returned function is called. */
  holdScripts(): () => void
  /** Cuts the connection of requests for scripts whose path matches. */
  failScripts(pattern: RegExp | null): void
  close(): Promise<void>
}

export async function startSite({ dist = DIST, withReceiver = true } = {}): Promise<SiteServer> {
  const site = loadSite(dist)
  const receiver = new Receiver()
  const app = getRequestListener(createApp(testConfig, { site }).fetch)
  let gate = Promise.resolve()
  let failing: RegExp | null = null
  const server = await listen(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '/'
    if (withReceiver && path === OWN_LEAD_ENDPOINT) return receiver.handle(request, response)
    if (path.endsWith('.js')) {
      await gate
      if (failing?.test(path)) return void request.socket.destroy()
    }
    await app(request, response)
  })
  return {
    ...server,
    receiver,
    holdScripts() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    failScripts(pattern) {
      failing = pattern
    },
  }
}
