/** The desk with a month of demo data, on loopback in this process: production app, built pages, real store. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getRequestListener } from '@hono/node-server'
import { createDesk } from '../../desk/server/app.ts'
import { prepareDemo } from '../../desk/server/demo/demo.ts'
import { builtPages } from '../../desk/server/pages.ts'
import { DEFAULT_CALLING_HOURS } from '../../domain/calling/hours.ts'
import type { DeskRole } from '../../domain/roles.ts'
import { createToken } from '../../server/store/accounts.ts'
import { connectDeskStores } from '../../server/store/open-store.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import type { Store } from '../../server/store/store.ts'

const HOUR = 3_600_000

export type DeskServer = Awaited<ReturnType<typeof startDesk>>

/** Invites a new person and signs them in. Returns the session token. */
export async function beginSession(store: Store, name: string, role: DeskRole): Promise<string> {
  const invitation = createToken()
  await store.invite({ name, role, tokenHash: invitation.hash, ttlMs: HOUR, by: 'test' })
  const passkey = { id: name, publicKey: 'none', counter: 0, transports: [], synced: false }
  await store.acceptInvitation({ tokenHash: invitation.hash, passkey })
  const { token, hash } = createToken()
  await store.beginSession({ tokenHash: hash, ttlMs: HOUR, passkeyId: passkey.id, counter: 1 })
  return token
}

const months = new Map<boolean, ReturnType<typeof prepareDemo>>()

/** A month of demo data, created once per process; each desk works on its own copy. */
function demoMonth(calls: boolean) {
  const month = months.get(calls) ?? prepareDemo({ calls })
  if (!months.has(calls)) month.then(demo => process.once('exit', demo.remove))
  months.set(calls, month)
  return month
}

function openWithClock(dataDir: string, now: () => number) {
  const store = openSqliteStore(storeFile(dataDir), { access: 'write', now })
  return { store, reader: store, close: () => store.close() }
}

interface DeskOptions {
  readonly callList?: boolean
  /** Whether leads are sent to a webhook. */
  readonly crm?: boolean
  /** With the demo's calls. Otherwise, the list starts empty. */
  readonly demoCalls?: boolean
  /** The store's clock. Calling hours depend on it. */
  readonly now?: () => number
}

export async function startDesk({ callList = false, crm = true, demoCalls = false, now }: DeskOptions = {}) {
  const demo = await demoMonth(demoCalls)
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-'))
  cpSync(demo.config.dataDir, dataDir, { recursive: true })
  const config = {
    ...demo.config,
    callList,
    dataDir,
    erasureList: join(dataDir, 'erasures.txt'),
    webhookUrl: crm ? demo.config.webhookUrl : null,
    // At night and on Sundays, the demo ignores calling hours.
    callingHours: demoCalls ? demo.config.callingHours : DEFAULT_CALLING_HOURS,
  }
  if (!demoCalls) {
    const database = new DatabaseSync(storeFile(dataDir))
    database.exec('DELETE FROM calls')
    database.close()
  }
  const onCrash = (error: unknown) => {
    throw error
  }
  const { store, reader, close } = now ? openWithClock(dataDir, now) : await connectDeskStores(config, { onCrash })
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const services = {
    config,
    store,
    reader,
    origin: url,
    now: now ?? Date.now,
    log: () => {},
    demo: true,
    pages: builtPages(),
  }
  const desk = createDesk(services)
  const link = url + (await demo.addSignInLink(desk, store))
  server.on('request', getRequestListener(desk.fetch))
  return {
    url,
    store,
    dataDir,
    /** A single-use sign-in link. */
    link,
    /** Returns a session cookie for a new person. */
    signIn: async (name: string, role: DeskRole) => ({
      name: 'desk',
      value: await beginSession(store, name, role),
      url,
    }),
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
      await close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
