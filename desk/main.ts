/** Starts the desk, a separate process from the server, and stops it on a signal. */
import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { createAlerting } from '../server/alerts/alerting.ts'
import { CannotListen, createLimitedServer, listen } from '../server/http/limited-server.ts'
import { SiteUnusable } from '../server/http/site-files.ts'
import { exit, fail, stopOnSignals } from '../server/process/exit.ts'
import { announceUrl, describeError, log } from '../server/process/log.ts'
import { ConfigError, deskAddressIn, loadConfig } from '../server/settings/config.ts'
import { connectDeskStores } from '../server/store/open-store.ts'
import { StoreUnavailable, StoreUnusable } from '../server/store/store-errors.ts'
import { createDesk } from './server/app.ts'
import { announceDemo, prepareDemo, withDemoHeadline } from './server/demo/demo.ts'
import { startDemoSite } from './server/demo/site.ts'
import { builtPages, DeskNotBuilt } from './server/pages.ts'
import { watchSite } from './server/site.ts'

/** How long in-flight requests have to finish after a stop signal. */
const DRAIN_MS = 2000

async function start(): Promise<void> {
  const values = readArguments()
  if (values.help) return void process.stdout.write(HELP)
  const pages = values.dev ? null : builtPages()
  const built = watchSite(values.demo ? null : loadConfig().siteFolder)
  const site = values.demo ? () => withDemoHeadline(built()) : built
  const demo = values.demo ? await prepareDemo(site().copy, { desk: deskAddressIn() ?? undefined }) : null
  const config = demo?.config ?? loadConfig()
  const { store, reader, close } = await connectDeskStores(config, { onCrash: crash })
  let handle: RequestListener = () => {}
  const { server, drain } = createLimitedServer((request, response) => handle(request, response), {
    alerts: createAlerting({ log }),
    log,
  })
  const port = await listen(server, config.desk, 'DESK_URL or DESK_PORT')
  const origin = config.desk.port === 0 ? `http://localhost:${port}` : config.desk.url
  const demoSite = demo ? await startDemoSite(config) : null
  const siteUrl = demoSite?.url ?? config.siteUrl
  const effectiveConfig = { ...config, siteUrl, desk: { ...config.desk, url: origin, port } }
  const services = { config: effectiveConfig, store, reader, site, origin, now: Date.now, log, demo: demo !== null }
  const desk = createDesk({ ...services, ...(pages && { pages }) })
  const links = demo ? await demo.addSignInLinks(desk, store) : null
  const serve = getRequestListener(desk.fetch)
  const servePages = values.dev ? await devPages(server) : serve
  handle = (request, response) => (/^\/(api|demo)\//.test(request.url ?? '') ? serve : servePages)(request, response)
  log('listening', { url: origin })
  if (links) announceDemo(links, demoSite?.url ?? null, effectiveConfig)
  else announceUrl(origin)
  stopOnSignals(async () => {
    const drained = await drain(DRAIN_MS)
    await demoSite?.stop()
    await close()
    demo?.remove()
    log('stopped', { drained })
    return exit()
  }, DRAIN_MS)
}

const HELP = `Usage: npm run desk [-- --dev], or npm run demo

Starts the desk, the call team's web app. Run it alongside the server, with the same settings.

  --demo   Try it with sample leads in a temporary store, and the site with it. The same as npm run demo.
  --dev    Serve the pages from source, with hot reload.
  --help   Show this help.
`

function readArguments() {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ options: { demo: flag, dev: flag, help: { ...flag, short: 'h' } } }).values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message.split('. ')[0] : error}.\n\n${HELP.trimEnd()}`)
  }
}

/** Imports Vite on demand, because it isn't installed in production. */
async function devPages(server: Server): Promise<RequestListener> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    server: { middlewareMode: true, ws: { server } },
  })
  return vite.middlewares
}

function crash(error: unknown): never {
  log('service_crashed', describeError(error))
  exit(1)
}

try {
  await start()
} catch (error) {
  if (
    error instanceof ConfigError ||
    error instanceof DeskNotBuilt ||
    error instanceof SiteUnusable ||
    error instanceof CannotListen
  ) {
    fail(error.message)
  }
  if (error instanceof StoreUnusable) {
    fail(/^There is no store/.test(error.message) ? `${error.message} Run npm start to create it.` : error.message)
  }
  if (error instanceof StoreUnavailable) fail(`The store is unavailable: ${error.message}`)
  throw error
}
