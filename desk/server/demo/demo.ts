/** The demo: a temporary store with a month of made-up leads, opened with a link instead of a passkey. Nothing is saved. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { areaCodes } from '../../../domain/calling/area-codes.ts'
import { createCallingClock, DEFAULT_CALLING_HOURS, DEMO_CALLING_HOURS } from '../../../domain/calling/hours.ts'
import { ENGLISH } from '../../../domain/languages.ts'
import type { DeskRole } from '../../../domain/roles.ts'
import { copyIn, type ServerCopy } from '../../../server/http/site-manifest.ts'
import { type Config, type DeskAddress, readConfig } from '../../../server/settings/config.ts'
import { createToken } from '../../../server/store/operations/desk/accounts.ts'
import { storeFile } from '../../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../server/store/store.ts'
import { SESSION_MS, setSession } from '../auth/cookie.ts'
import type { DeskRequest } from '../services.ts'
import type { DeskSite } from '../site.ts'
import { addPerson, fillCalls } from './call-history.ts'
import { fillCosts } from './costs.ts'
import { ERASURE_KEY, fillDemo, planMonth } from './month.ts'

/** At 3 AM, Today would be empty, so pick a time zone where it's daytime. */
function daytimeZone(now: number): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now))
  const zones = ['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu']
  return zones.find(zone => hourIn(zone) >= 11) ?? 'America/New_York'
}

/** Calls follow the law unless it's night or Sunday in most of the country: then, there'd be no one to call. */
function demoHours(now: number) {
  const clock = createCallingClock(DEFAULT_CALLING_HOURS)
  const isOpen = ['312', '213'].some(code => clock.at(areaCodes.get(code) ?? null, now).allowed)
  return isOpen ? DEFAULT_CALLING_HOURS : DEMO_CALLING_HOURS
}

/** To sign in with, as each of them. */
export type DemoLinks = Readonly<Record<'agent' | 'manager', string>>

export interface Demo {
  readonly config: Config
  /** Adds one-time links and returns their paths. */
  addSignInLinks(desk: Hono<DeskRequest>, store: Store): Promise<DemoLinks>
  remove(): void
}

interface DemoOptions {
  readonly now?: number
  /** How many days of leads. */
  readonly days?: number
  /** Whether someone has been calling the leads. */
  readonly calls?: boolean
  /** A folder with a demo that was prepared for the same time. */
  readonly dataDir?: string
  /** Where to listen. */
  readonly desk?: DeskAddress | undefined
}

const anyPort: DeskAddress = { url: 'http://localhost', host: 'localhost', port: 0 }

/** The demo's site has no headline test, but its visits do. */
export const withDemoHeadline = (site: DeskSite): DeskSite => ({
  ...site,
  copy: { ...site.copy, headlines: { plain: 'Too Sick to Work? You May Be Owed Benefits', ...site.copy.headlines } },
})

export async function prepareDemo(copy: ServerCopy, options: DemoOptions = {}): Promise<Demo> {
  const { now = Date.now(), days, calls = true, desk = anyPort } = options
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'desk-demo-'))
  // Ignore the operator's settings.
  const settings = {
    DATA_DIR: dataDir,
    LEAD_WEBHOOK_URL: 'https://crm.example.org/leads',
    LEAD_WEBHOOK_FORMAT: 'json',
    TRUSTEDFORM: 'on',
    CALL_LIST: 'on',
  }
  const read = readConfig({ ...settings, TIME_ZONE: daytimeZone(now), ERASURE_KEY })
  const callingHours = demoHours(now)
  const config = { ...read, callingHours, desk }
  const demo = { config, addSignInLinks, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
  if (options.dataDir !== undefined) return demo
  const clock = { at: now, next: [] as number[] }
  const store = openSqliteStore(storeFile(dataDir), { now: () => clock.next.shift() ?? clock.at })
  const texts = { en: copyIn(copy, ENGLISH), es: copyIn(copy, 'es') }
  const leads = await fillDemo(store, clock, planMonth(now, config.timeZone, copy, days), {
    callFromDesk: calls,
    texts,
  })
  if (calls) await fillCalls(store, clock, leads, callingHours)
  await fillCosts(store, clock, config.timeZone)
  await tellCrm(store)
  while ((await store.indexLeads({ limit: 1000 })) > 0);
  await store.close()
  return demo
}

/** The month's stops reached the CRM. */
async function tellCrm(store: Store): Promise<void> {
  for (const { id, leaseToken } of await store.lease({ lane: 'stops', limit: 10_000, leaseMs: 60_000 })) {
    await store.settle({ id, leaseToken, durationMs: 120, result: 'delivered', status: 200 })
  }
}

async function addSignInLinks(desk: Hono<DeskRequest>, store: Store): Promise<DemoLinks> {
  const passkeys = new Map<string, string>()
  async function add(name: string, role: DeskRole): Promise<string> {
    const { passkeyId } = await addPerson(store, name, role)
    const { token } = createToken()
    passkeys.set(token, passkeyId)
    return `/demo/${token}`
  }
  desk.get('/demo/:link', async context => {
    const link = context.req.param('link')
    const passkeyId = passkeys.get(link)
    if (passkeyId === undefined) return context.notFound()
    const { token, hash } = createToken()
    await store.beginSession({ tokenHash: hash, ttlMs: SESSION_MS, passkeyId, counter: null })
    setSession(context, token, SESSION_MS)
    return context.redirect('/')
  })
  return { agent: await add('Alex Kim', 'agent'), manager: await add('Maria Lopez', 'editor') }
}

/** Prints the links and opens the manager's if there's a browser. */
export function announceDemo(links: DemoLinks, site: string | null, { callingHours, desk: { url } }: Config): void {
  const manager = url + links.manager
  const lines = [
    site ? `The site: ${site}` : 'The site didn’t start. To see why, run npm start.',
    `The desk, as a manager: ${manager}`,
    `The desk, as an agent: ${url}${links.agent}`,
    'In one browser, the last link that you opened counts. Leads that you send from the site arrive there. Stop with Ctrl+C; nothing is saved.',
    ...(callingHours.anytime ? ['It’s outside calling hours, so this demo ignores them.'] : []),
  ]
  process.stdout.write(`\n${lines.map(line => `  ${line}\n`).join('')}\n`)
  if (!process.stdout.isTTY) return
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  spawn(program, [manager], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
