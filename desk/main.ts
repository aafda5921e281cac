/** Starts the desk, a process of its own beside the server, and stops it on a signal. `--demo`: over made-up leads. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, getPriority, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { ConfigError, loadConfig } from '../server/config.ts'
import { describeError, flushLog, log } from '../server/log.ts'
import type { DeskAddress } from '../server/settings/addresses.ts'
import { joinStoreForDesk } from '../server/store/open-store.ts'
import { StoreUnavailable, StoreUnusable } from '../server/store/store-errors.ts'
import { createDesk } from './server/app.ts'
import { DeskNotBuilt, loadBrowserFiles } from './server/browser-files.ts'
import { announceDemo, prepareDemo } from './server/demo/demo.ts'
import { startDemoWebhook } from './server/demo/webhook.ts'

/** How long answers under way may take to finish after a signal to stop. Event streams are cut off. */
const DRAIN_MS = 2000
/** Within this time a request must be here as a whole. */
const REQUEST_TIMEOUT_MS = 30_000
/** In steps of what the system calls niceness. */
const LESS_THAN_THE_SERVER = 5

async function start(): Promise<void> {
  const values = readArguments()
  if (values.help) return void process.stdout.write(HELP)
  giveWay()
  const browser = loadBrowserFiles()
  const demo = values.demo ? await prepareDemo() : null
  const config = demo?.config ?? loadConfig()
  const { store, reader, search, close } = await joinStoreForDesk(config, { onCrash: crash })
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: REQUEST_TIMEOUT_MS / 3,
  })
  const port = await listen(server, config.desk)
  // With port 0 the system chooses one.
  const origin = config.desk.port === 0 ? `http://localhost:${port}` : config.desk.url
  const inForce = { ...config, desk: { ...config.desk, url: origin, port } }
  const services = { config: inForce, store, reader, search, origin, now: Date.now, log, browser }
  const desk = createDesk({ ...services, demo: demo !== null })
  const stopWebhook = demo ? startDemoWebhook(store) : () => {}
  if (demo) announceDemo(origin + (await demo.addEntry(desk, store)))
  server.on('request', getRequestListener(desk.fetch))
  log('listening', { url: origin })
  stopOnSignals(server, async () => {
    stopWebhook()
    await close()
    demo?.remove()
  })
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

/**
 * Where processors are short, captures come first: a search may wait a little, a lead must not. Threads that are started from here
 * on inherit it, so it comes before all else.
 */
function giveWay(): void {
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + LESS_THAN_THE_SERVER))
  } catch {
    // Some systems do not let a program do this; it works without.
  }
}

function listen(server: Server, { host, port }: DeskAddress): Promise<number> {
  return new Promise(resolve => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        fail(`Port ${port} on ${host} is in use. Stop what uses it, or change the port in DESK_URL or DESK_PORT.`)
      }
      fail(`The desk cannot listen on ${host}:${port} (${error.code ?? error.name}).`)
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function stopOnSignals(server: Server, closeStores: () => Promise<void>): void {
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log('stopping', { signal })
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    await new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeIdleConnections()
    })
    clearTimeout(cut)
    await closeStores()
    log('stopped')
    exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
}

function crash(error: unknown): never {
  log('service_crashed', describeError(error))
  exit(1)
}

function exit(code: number): never {
  flushLog()
  process.exit(code)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  exit(1)
}

try {
  await start()
} catch (error) {
  if (error instanceof ConfigError || error instanceof DeskNotBuilt) fail(error.message)
  if (error instanceof StoreUnusable) {
    fail(/^There is no store/.test(error.message) ? `${error.message} The server makes it: npm start` : error.message)
  }
  if (error instanceof StoreUnavailable) fail(`The store cannot be used now: ${error.message}`)
  throw error
}
