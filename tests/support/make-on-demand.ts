/** Runs beside the unit tests, and makes what they ask for with `onDemand`. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Makers, PORT } from './on-demand.ts'
import { spawnDesk, spawnServer } from './processes.ts'

const stops: (() => Promise<void>)[] = []

/** Imported when needed, because loading what builds a site takes longer than most tests. */
const makers: Makers = {
  async site() {
    await (await import('./build-sites.ts')).buildShippedSite()
    await saveCompiled(spawnServer)
  },
  async filledInSite() {
    // Its copy of the project has what that compiles.
    await make('site')
    await (await import('./filled-in.ts')).buildFilledIn()
  },
  async desk() {
    await (await import('./build-sites.ts')).buildDesk()
    // The desk reads what the site's build wrote.
    await make('site')
    // A desk needs the store that a server creates.
    await saveCompiled(spawnServer, spawnDesk)
  },
  async postgres() {
    const { startSharedPostgres } = await import('./shared-postgres.ts')
    const { stop, ...shared } = await startSharedPostgres()
    stops.push(stop)
    return shared
  },
}

/** A program that's killed, as most tests do, doesn't save what it compiled, so each start would take twice as long. */
async function saveCompiled(...programs: readonly (typeof spawnServer | typeof spawnDesk)[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'))
  for (const spawnProgram of programs) {
    const program = spawnProgram({ DATA_DIR: folder })
    await program.url
    program.child.kill('SIGTERM')
    await program.exit
  }
  rmSync(folder, { recursive: true })
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
