/** The desk with a month of demo data, on loopback in this process: production app, built pages, real store, own clock. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createDesk } from '../../desk/server/app.ts'
import { prepareDemo } from '../../desk/server/demo/demo.ts'
import { builtPages } from '../../desk/server/pages.ts'
import { watchSite } from '../../desk/server/site.ts'
import type { DeskRole } from '../../domain/roles.ts'
import { connectStore } from '../../server/store/open-store.ts'
import { joinDesk } from './desk-accounts.ts'
import { siteCopy } from './site-copy.ts'

/** A Tuesday, 4 PM in the East: calls are allowed from New York to Hawaii, and the month before has no holidays. */
export const WORKDAY = Date.parse('2026-04-14T16:00-04:00')

export type DeskServer = Awaited<ReturnType<typeof startDesk>>

/** A folder for each month of demo data. Journeys share them: each desk works on its own copy. */
const months = new Map<string, Promise<string>>(JSON.parse(process.env['DEMO_MONTHS'] ?? '[]'))

function demoMonth(now: number, calls: boolean): Promise<string> {
  const key = `${now} ${calls}`
  const month =
    months.get(key) ??
    prepareDemo(siteCopy, { now, calls }).then(({ config, remove }) => {
      process.once('exit', remove)
      return config.dataDir
    })
  months.set(key, month)
  return month
}

/** Before all journeys, because each of their processes would prepare its own. */
export async function prepareMonths(): Promise<void> {
  for (const calls of [false, true]) await demoMonth(WORKDAY, calls)
  const prepared = [...months].map(async ([key, folder]) => [key, await folder])
  process.env['DEMO_MONTHS'] = JSON.stringify(await Promise.all(prepared))
}

export interface DeskOptions {
  readonly callList?: boolean
  /** Whether leads are sent to a webhook. */
  readonly crm?: boolean
  /** With the demo's calls. Otherwise, the list starts empty. */
  readonly demoCalls?: boolean
  /** When the demo's month ends. What people see depends on the hour and the day. */
  readonly at?: number
  /** The clock, which starts at `at`. */
  readonly now?: () => number
}

export async function startDesk(options: DeskOptions = {}) {
  const { callList = false, crm = true, demoCalls = false, at = WORKDAY } = options
  const month = await demoMonth(at, demoCalls)
  const aheadMs = at - Date.now()
  const { now = () => Date.now() + aheadMs } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-'))
  cpSync(month, dataDir, { recursive: true })
  const demo = await prepareDemo(siteCopy, { now: at, dataDir })
  const config = {
    ...demo.config,
    callList,
    erasureList: join(dataDir, 'erasures.txt'),
    webhookUrl: crm ? demo.config.webhookUrl : null,
  }
  const store = await connectStore(config, { access: 'write', now })
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const services = {
    config,
    store,
    reader: store,
    site: watchSite(),
    origin: url,
    now,
    log: () => {},
    demo: true,
    pages: builtPages(),
  }
  const desk = createDesk(services)
  const link = url + (await demo.addSignInLinks(desk, store)).manager
  server.on('request', getRequestListener(desk.fetch))
  return {
    url,
    store,
    dataDir,
    /** How far the clock is ahead of the machine's. */
    aheadMs,
    now,
    /** A single-use sign-in link. */
    link,
    /** Returns a session cookie for a new person. */
    signIn: async (name: string, role: DeskRole) => ({
      name: 'desk',
      value: (await joinDesk(store, name, role)).token,
      url,
    }),
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
