/** Runs beside the unit tests, and makes what they ask for with `onDemand`. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Makers, PORT } from './on-demand.ts'

const stops: (() => Promise<void>)[] = []

/** Imported when needed, because loading what builds a site takes longer than most tests. */
const makers: Makers = {
  site: async () => (await import('./build-sites.ts')).buildShippedSite(),
  filledInSite: async () => (await import('./filled-in.ts')).buildFilledIn(),
  async desk() {
    await (await import('./build-sites.ts')).buildDesk()
    // The desk reads what the site's build wrote.
    await make('site')
  },
  async postgres() {
    const { startSharedPostgres } = await import('./shared-postgres.ts')
    const { stop, ...shared } = await startSharedPostgres()
    stops.push(stop)
    return shared
  },
}

const made = new Map<string, Promise<unknown>>()
function make(name: string): Promise<unknown> {
  const making = made.get(name) ?? makers[name as keyof Makers]()
  made.set(name, making)
  return making
}

export default async function makeOnDemand() {
  const server = createServer(socket =>
    socket.once('data', name =>
      make(`${name}`).then(
        value => socket.end(JSON.stringify({ value: value ?? null })),
        error => socket.end(JSON.stringify({ error: `${error}` })),
      ),
    ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env[PORT] = `${(server.address() as AddressInfo).port}`
  return async () => {
    server.close()
    for (const stop of stops.splice(0)) await stop()
  }
}
