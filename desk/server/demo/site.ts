/** The site beside the demo's desk: the real server on the demo's store, and a CRM that takes every lead. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../../../server/settings/config.ts'
import { ERASURE_KEY } from './month.ts'

const SERVER = join(import.meta.dirname, '../../../server/main.ts')

/** Returns the site's address, or null if it can't start, and a function that stops it. */
export async function startDemoSite({ dataDir, timeZone }: Config) {
  const crm = await startCrm()
  const webhook = { LEAD_WEBHOOK_URL: crm.url, LEAD_WEBHOOK_FORMAT: 'json' }
  const settings = { DATA_DIR: dataDir, TIME_ZONE: timeZone, ERASURE_KEY, CALL_LIST: 'on', ...webhook }
  const site = spawn(process.execPath, [SERVER], {
    // Ignore the operator's settings.
    env: { HOST: '127.0.0.1', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(site, 'exit')
  return {
    url: await Promise.race([addressIn(site.stdout), exited.then(() => null)]),
    async stop() {
      site.kill()
      await exited
      crm.close()
    },
  }
}

/** From the server's log, once it takes leads. */
async function addressIn(log: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  const found = Promise.withResolvers<string>()
  log.setEncoding('utf8').on('data', chunk => {
    text = (text + chunk).slice(0, 10_000)
    const url = /"code":"listening".*?"url":"([^"]+)"/.exec(text)?.[1]
    if (url !== undefined && text.includes('"code":"store_open"')) found.resolve(url)
  })
  return found.promise
}

/** Takes everything, also what failed during the sample month and is sent again. */
async function startCrm() {
  const crm = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
  await once(crm, 'listening')
  return { url: `http://127.0.0.1:${(crm.address() as AddressInfo).port}`, close: () => crm.close() }
}
