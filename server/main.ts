/** Starts the server, and stops it gently: the only file with side effects on import. */
import type { Server } from 'node:http'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { loadSite } from './http/load-site.ts'
import { log } from './log.ts'

/** How long requests under way may take to finish after a signal to stop. */
const DRAIN_MS = 10_000

function start(): void {
  const config = readConfig()
  const site = loadSite(join(import.meta.dirname, '../dist'))
  const server = createAdaptorServer({ fetch: createApp(config, { site }).fetch }) as Server
  server.requestTimeout = 30_000
  server.headersTimeout = 10_000
  server.keepAliveTimeout = 65_000
  server.on('error', error => fail(explainListenError(error, config)))
  server.listen(config.port, config.host, () => {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : config.port
    log('listening', { url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}` })
    if (site.leadEndpoint === '/api/leads') {
      log('leads are not received', { reason: 'no receiver is built in yet; /api/leads answers 503' })
    }
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => drain(server, signal))
}

function drain(server: Server, signal: string): void {
  log('stopping', { signal })
  const giveUp = setTimeout(() => {
    log('stopped', { drained: false })
    process.exit(0)
  }, DRAIN_MS)
  giveUp.unref()
  server.close(() => {
    log('stopped', { drained: true })
    process.exit(0)
  })
  server.closeIdleConnections()
}

function explainListenError(error: NodeJS.ErrnoException, { host, port }: Config): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another number.`
  if (error.code === 'EACCES')
    return `Port ${port} on ${host} may not be used by this user. Set PORT to a number above 1023.`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return `HOST is ${JSON.stringify(host)}, which is not an address of this machine.`
  }
  return `The server cannot listen on ${host}:${port} (${error.code ?? error.name}).`
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

try {
  start()
} catch (error) {
  if (error instanceof ConfigError) fail(error.message)
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') fail('The site is not built. Run `npm run build` first.')
  throw error
}
