/** Starts the desk, a process of its own beside the server, and stops it on a signal. `--demo`: over made-up leads. */
import type { RequestListener } from 'node:http'
import { constants, getPriority, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { createAlerts } from '../server/alerts/alerts.ts'
import { ConfigError, loadConfig } from '../server/config.ts'
import { CannotListen, createLimitedServer, listen } from '../server/http/limited-server.ts'
import { describeError, log } from '../server/log.ts'
import { exit, fail, stopOnSignals } from '../server/process.ts'
import { connectDeskStores } from '../server/store/open-store.ts'
import { StoreUnavailable, StoreUnusable } from '../server/store/store-errors.ts'
import { createDesk } from './server/app.ts'
import { DeskNotBuilt, loadBrowserFiles } from './server/browser-files.ts'
import { announceDemo, prepareDemo } from './server/demo/demo.ts'
import { startDemoWebhook } from './server/demo/webhook.ts'

/** How long answers under way may take to finish after a signal to stop. */
const DRAIN_MS = 2000
/** Added to the process's niceness. */
const LESS_THAN_THE_SERVER = 5

async function start(): Promise<void> {
  const values = readArguments()
  if (values.help) return void process.stdout.write(HELP)
  giveWay()
  const browser = loadBrowserFiles()
  const demo = values.demo ? await prepareDemo() : null
  const config = demo?.config ?? loadConfig()
  const { store, reader, close } = await connectDeskStores(config, { onCrash: crash })
  let handle: RequestListener = () => {}
  const { server, drain } = createLimitedServer((request, response) => handle(request, response), {
    alerts: createAlerts({ log }),
    log,
  })
  const port = await listen(server, config.desk, 'DESK_URL or DESK_PORT')
  const origin = config.desk.port === 0 ? `http://localhost:${port}` : config.desk.url
  const inForce = { ...config, desk: { ...config.desk, url: origin, port } }
  const services = { config: inForce, store, reader, origin, now: Date.now, log, browser }
  const desk = createDesk({ ...services, demo: demo !== null })
  const stopWebhook = demo ? startDemoWebhook(store) : () => {}
  if (demo) announceDemo(origin + (await demo.addEntry(desk, store)))
  handle = getRequestListener(desk.fetch)
  log('listening', { url: origin })
  stopOnSignals(async () => {
    const drained = await drain(DRAIN_MS)
    stopWebhook()
    await close()
    demo?.remove()
    log('stopped', { drained })
    return exit()
  }, DRAIN_MS)
}

const HELP = `Usage: npm run desk [-- --demo]

Starts the call team's page beside a running server, on the same settings.

  --demo   Try it out with made-up leads in a temporary store.
  --help   Show this help.
`

function readArguments() {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ options: { demo: flag, help: { ...flag, short: 'h' } } }).values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message.split('. ')[0] : error}.\n\n${HELP.trimEnd()}`)
  }
}

/** A search may wait a little, a lead must not. Threads inherit the priority, so this comes before anything else. */
function giveWay(): void {
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + LESS_THAN_THE_SERVER))
  } catch {
    // Not allowed on some systems; it works without.
  }
}

function crash(error: unknown): never {
  log('service_crashed', describeError(error))
  exit(1)
}

try {
  await start()
} catch (error) {
  if (error instanceof ConfigError || error instanceof DeskNotBuilt || error instanceof CannotListen) {
    fail(error.message)
  }
  if (error instanceof StoreUnusable) {
    fail(/^There is no store/.test(error.message) ? `${error.message} The server makes it: npm start` : error.message)
  }
  if (error instanceof StoreUnavailable) fail(`The store cannot be used now: ${error.message}`)
  throw error
}
