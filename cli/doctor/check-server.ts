/** The doctor's look at the server: whether it runs where the settings say, and what it says of itself. */
import { get } from 'node:http'
import type { Config } from '../../server/config.ts'
import { type Finding, findingsAbout } from './finding.ts'

const TIMEOUT_MS = 5000

const { ok, warning, fault } = findingsAbout('Server')

export async function checkServer({ host, port }: Pick<Config, 'host' | 'port'>): Promise<readonly Finding[]> {
  // The system chooses the port: nobody can know it.
  if (port === 0) return []
  const place = `${reachable(host)}:${port}`
  const status = await statusOf(`http://${place}/readyz`)
  if (status === 200) return [ok(`It runs at ${place} and is ready.`)]
  if (status === 503) return [fault(`It runs at ${place}, but is not ready: its store takes no writes.`)]
  if (status === 'silent') return [fault(`Something listens at ${place}, but does not answer.`)]
  if (status === 'closed') return [warning(`It does not run at ${place}, which is what HOST and PORT say.`)]
  return [warning(`Something else than this server answers at ${place}.`)]
}

/** Where a server that listens at all addresses is found. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Not by fetch, which refuses ports that browsers keep from. */
function statusOf(url: string): Promise<number | 'silent' | 'closed'> {
  return new Promise(resolve => {
    const request = get(url, { agent: false }, response => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    const limit = setTimeout(() => {
      resolve('silent')
      request.destroy()
    }, TIMEOUT_MS)
    request.once('error', () => resolve('closed'))
    request.once('close', () => clearTimeout(limit))
  })
}
