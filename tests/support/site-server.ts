/**
 * The production app on a local port. Tests can hold back or fail its scripts, and choose what responds at /api/leads: a
 * fake webhook, or the app itself with its own store.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createApp } from '../../server/app.ts'
import { loadSite, type Site } from '../../server/http/site.ts'
import type { Log } from '../../server/process/log.ts'
import { OWN_LEAD_ENDPOINT, readConfig } from '../../server/settings/config.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { BUILT } from './built-site.ts'
import { storedLeads } from './lead-fixtures.ts'
import { listen } from './receiver.ts'
import { MisbehavingWebhook } from './webhook.ts'

export type SiteServer = Awaited<ReturnType<typeof startSite>>

export interface SiteOptions {
  readonly built?: string
  readonly ownStore?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** What differs from the built site. */
  readonly change?: (site: Site) => Site
  readonly log?: Log
  /** For pages that `change` has made report their errors. */
  readonly onPageError?: (error: string) => void
}

/** Where pages report their errors. */
export const PAGE_ERRORS = '/page-errors'

const sites = new Map<string, Site>()

export async function startSite({
  built = BUILT,
  ownStore = false,
  env,
  change = site => site,
  onPageError = () => {},
  ...rest
}: SiteOptions = {}) {
  const loaded = sites.get(built) ?? loadSite(built)
  sites.set(built, loaded)
  const site = change(loaded)
  const webhook = new MisbehavingWebhook()
  webhook.behave = () => ({ status: 202 })
  const dataDir = mkdtempSync(join(tmpdir(), 'site-'))
  const config = readConfig({ PORT: '0', SITE_URL: 'http://127.0.0.1', DATA_DIR: dataDir, ...env })
  const store = openSqliteStore(storeFile(dataDir))
  for (const { consent, questionnaire } of Object.values(site.copy.languages)) {
    await store.saveConsentText(consent)
    await store.saveQuestionnaire(questionnaire)
  }
  const logged: string[] = []
  const log: Log = (code, { durationMs, status, ...detail } = {}) =>
    void logged.push(JSON.stringify({ code, ...detail }))
  const app = createApp(config, { site: () => site, store, log, ...rest })
  let gate = Promise.resolve()
  let failing: { pattern: RegExp | null; paths: string[] } = { pattern: null, paths: [] }
  const server = await listen(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '/'
    if (!ownStore && path === OWN_LEAD_ENDPOINT) return webhook.handle(request, response)
    if (path === PAGE_ERRORS) {
      onPageError(await text(request))
      return void response.writeHead(204).end()
    }
    if (path.endsWith('.js')) {
      await gate
      if (failing.pattern?.test(path)) {
        failing.paths.push(path)
        return void request.socket.destroy()
      }
    }
    await app(request, response)
  })
  return {
    url: server.url,
    async close() {
      await server.close()
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
    dataDir,
    site,
    store,
    webhook,
    /** What the server logs, without durations and without whether a page was cached. */
    logged,
    /** Leads in the app's own store, oldest first. */
    storedLeads: () => storedLeads(storeFile(dataDir)),
    /** Holds back all scripts until the returned function is called. */
    holdScripts() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    /** Cuts the connection when a script with a matching path is requested. Returns a live list of those paths. */
    failScripts(pattern: RegExp | null): readonly string[] {
      failing = { pattern, paths: [] }
      return failing.paths
    },
  }
}
