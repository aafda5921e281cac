/**
 * The demo: a scratch store with a month of people who do not exist, signed in by a link instead of a passkey. It never
 * touches the operator's store, and leaves nothing behind.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { consent } from '../../../content/panel/contact-form.ts'
import { questionnaire } from '../../../content/panel/questionnaire.ts'
import { questions } from '../../../content/questions.ts'
import { consentAsPresented } from '../../../domain/consent.ts'
import { questionnaireAsPresented } from '../../../domain/questions-as-asked.ts'
import { type Config, readConfig } from '../../../server/config.ts'
import { createToken } from '../../../server/store/accounts.ts'
import { storeFile } from '../../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../server/store/store.ts'
import type { DeskRequest } from '../services.ts'
import { setSession } from '../sign-in/session-cookie.ts'
import { ERASURE_KEY, fillDemo } from './fill.ts'
import { planMonth } from './plan.ts'

const HOUR = 60 * 60_000
const SESSION_MS = 12 * HOUR
const NAME = 'Maria Lopez'

/** Of the country's time zones, one in which people are awake: at three in the morning, Today would be empty. */
const zones = ['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu']

function zoneAwake(now: number): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now))
  return zones.find(zone => hourIn(zone) >= 11) ?? 'America/New_York'
}

export interface Demo {
  readonly config: Config
  /** Adds the way in, and answers with its path: it works once. */
  addEntry(desk: Hono<DeskRequest>, store: Store): Promise<string>
  /** Takes the folder away. */
  remove(): void
}

/** None of the operator's settings: whatever they are, the demo listens on a free port of this machine. */
function demoConfig(dataDir: string, now: number): Config {
  const settings = {
    DATA_DIR: dataDir,
    LEAD_WEBHOOK_URL: 'https://crm.example.org/leads',
    TRUSTEDFORM: 'on',
    TIME_ZONE: zoneAwake(now),
    ERASURE_KEY,
  }
  return { ...readConfig(settings), desk: { url: 'http://localhost', host: 'localhost', port: 0 } }
}

export async function prepareDemo(now = Date.now()): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-demo-'))
  const config = demoConfig(dataDir, now)
  const clock = { at: now, next: [] as number[] }
  const store = openSqliteStore(storeFile(dataDir), { now: () => clock.next.shift() ?? clock.at })
  await fillDemo(store, clock, planMonth(now, config.timeZone), {
    consent: consentAsPresented(consent),
    questionnaire: questionnaireAsPresented({ questions, yes: questionnaire.yes, no: questionnaire.no }),
  })
  while ((await store.indexLeads({ limit: 1000 })) > 0);
  await store.close()
  return {
    config,
    addEntry,
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

async function addEntry(desk: Hono<DeskRequest>, store: Store): Promise<string> {
  const invitation = createToken()
  await store.invite({ name: NAME, role: 'editor', tokenHash: invitation.hash, lastsMs: HOUR, by: 'demo' })
  const random = () => randomBytes(32).toString('base64url')
  const passkey = { id: random(), publicKey: random(), counter: 0, transports: ['internal'], synced: true }
  await store.acceptInvitation({ tokenHash: invitation.hash, passkey })
  let link: string | null = createToken().token
  desk.get('/demo/:link', async context => {
    if (link === null || context.req.param('link') !== link) return context.notFound()
    link = null
    const { token, hash } = createToken()
    await store.beginSession({ tokenHash: hash, lastsMs: SESSION_MS, passkeyId: passkey.id, counter: 1 })
    setSession(context, token, SESSION_MS)
    return context.redirect('/')
  })
  return `/demo/${link}`
}

/** Says where the demo is, and opens it where there is a browser to open. */
export function announceDemo(link: string): void {
  process.stdout.write(`\n  The demo is at ${link}\n  The link works once. Stop it with Ctrl+C; nothing is kept.\n\n`)
  if (!process.stdout.isTTY) return
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  spawn(program, [link], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
