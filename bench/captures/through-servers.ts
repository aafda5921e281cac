/** Leads through the production server, by HTTP, into one store that any number of servers share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnServer } from '../../tests/support/server-process.ts'
import { someRequest } from './people.ts'
import { CALLERS, measureRate, type Rate } from './rate.ts'
import { openConnection, type RawConnection, type RawRequest } from './raw-connection.ts'

/** More than any number of servers could take in a round. */
const MOST_REQUESTS = 100_000

/** They believe our forwarded-for header, so that each lead has its own address. */
export async function withServers<T>(
  count: number,
  env: Readonly<Record<string, string>>,
  work: (urls: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-server-'))
  const servers = Array.from({ length: count }, () =>
    spawnServer({ DATA_DIR: folder, TRUST_PROXY: '127.0.0.1', ...env }),
  )
  try {
    return await work(await Promise.all(servers.map(({ url }) => url)))
  } finally {
    for (const { child } of servers) child.kill('SIGTERM')
    await Promise.all(servers.map(({ exit }) => exit))
    rmSync(folder, { recursive: true })
  }
}

export async function sendLead(connection: RawConnection, request: RawRequest): Promise<void> {
  const status = await connection.send(request)
  if (status !== 202) throw new Error(`A lead was answered with ${status}.`)
}

/** The requests are made before the clock runs: what the sender does takes from what the servers could do. */
export function throughServers(count: number, env: Readonly<Record<string, string>> = {}): Promise<Rate> {
  return withServers(count, env, async urls => {
    const requests = Array.from({ length: MOST_REQUESTS }, () => someRequest(urls[0] ?? ''))
    const connections = await Promise.all(
      Array.from({ length: CALLERS }, (_, index) => openConnection(urls[index % count] ?? '')),
    )
    const free = [...connections]
    const rate = await measureRate(async () => {
      // The one that has been free for the longest: else those of a fast server would get all the requests.
      const connection = free.shift()
      const request = requests.pop()
      if (!connection || !request) throw new Error('More calls than connections or requests.')
      await sendLead(connection, request)
      free.push(connection)
    })
    for (const connection of connections) connection.close()
    return rate
  })
}
