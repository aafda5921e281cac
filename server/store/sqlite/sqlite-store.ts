/** The embedded store: SQLite with a write-ahead log and a full sync at every commit. Runs in the thread that opens it. */
import { randomUUID } from 'node:crypto'
import { versionOf } from '../../presented-version.ts'
import { createAlertRecords } from '../alerts.ts'
import { createCaptures } from '../capture.ts'
import { createChanges } from '../changes.ts'
import { createBringForward } from '../clock.ts'
import { createDeliveryPause } from '../delivery-pause.ts'
import { createDeskStore } from '../desk/desk-store.ts'
import { type ErasedLeads, eraseLeads, eraseNextBefore, findNotErased } from '../erasure/erase.ts'
import { findErased } from '../erasure/erased-people.ts'
import type { Erasure } from '../erasure/erasure-records.ts'
import { createSuppressions, withoutSuppressed } from '../erasure/suppressions.ts'
import type { PresentedTable } from '../move.ts'
import { funnel, funnels } from '../reports/funnel.ts'
import { countLeads } from '../reports/lead-counts.ts'
import { dealingSecret } from '../reports/page-counts.ts'
import { createQueries } from '../reports/queries.ts'
import { addPageCounts, postPageCounts } from '../reports/view-journal.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'
import type { Store } from '../store.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { type Run, runOn } from './connection.ts'
import { asUnavailable } from './errors.ts'
import { BUSY_TIMEOUT_MS } from './files.ts'
import { forgetTraces } from './forget.ts'
import { createGroupCommit, type GroupCommitOptions } from './group-commit.ts'
import { openChecked, openFile } from './open-file.ts'
import { backlog, lease, nextDue, settle } from './outbox.ts'

export interface SqliteOptions extends Pick<GroupCommitOptions, 'onCommit'> {
  /** `own`: as the server does, which makes the store and brings it up to date. Else beside a server that may be running. */
  readonly access?: 'own' | 'write' | 'read'
  readonly busyTimeoutMs?: number
  /** The store's clock. */
  readonly now?: () => number
}

export const dialect: Dialect = {
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  // As it stands in the stored JSON; quotes inside of values are escaped there, so nothing else looks like it.
  campaignHas: (parameters, parameter) =>
    Object.entries(parameters)
      .map(([name, value]) => JSON.stringify({ [name]: value }).slice(1, -1))
      .map(stored => `instr(leads.campaign, ${parameter(stored)}) > 0`)
      .join(' AND '),
  campaignsAreIndexed: false,
  campaignValue: names => ({
    expression: `COALESCE(${names.map(name => `leads.campaign ->> '${name}'`).join(', ')}, NULL)`,
    decode: stored => stored,
  }),
  lockLeads: '',
  lockPeople: async () => {},
  jsonField: (column, name) => `(${column} ->> '${name}')`,
  soleRunner: null,
  historyId: 'rowid',
  storeBytes: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  // As JSONB, which is parsed once; of text, each row would be parsed again.
  rowsOf: (json, { text, bigint }) => {
    const read = [...text, ...bigint].map(name => `value ->> '${name}' AS ${name}`)
    return `(SELECT ${read.join(', ')} FROM jsonb_each(jsonb(${json})))`
  },
}

export function openSqliteStore(file: string, options: SqliteOptions = {}): Store {
  const { access = 'own', busyTimeoutMs = BUSY_TIMEOUT_MS, now = Date.now, onCommit } = options
  const readOnly = access === 'read'
  const writer = openChecked(file, { readOnly, joining: access !== 'own', busyTimeoutMs })
  const reader = readOnly ? writer : openFile(file, true, busyTimeoutMs)
  // From here on a locked store is waited for in group commit: SQLite's own waiting would stop the whole thread.
  if (!readOnly) writer.exec('PRAGMA busy_timeout = 0')
  const { write, idle } = createGroupCommit(writer, file, { busyTimeoutMs, onCommit })
  const runRead = runOn(reader)
  const due = createDueSignal()

  async function read<T>(question: (run: Run) => T): Promise<T> {
    try {
      return question(runRead)
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  async function remember(table: PresentedTable, presented: string): Promise<string> {
    const version = versionOf(presented)
    const insert = `INSERT INTO ${table} (version, presented, first_seen_at) VALUES ($1, $2, $3)
      ON CONFLICT (version) DO NOTHING`
    await write(run => run(insert, [version, presented, now()]))
    return version
  }

  const versionsIn = (table: PresentedTable) =>
    read(run => run(`SELECT version FROM ${table}`).map(({ version }) => String(version)))

  const port: SqlPort = {
    read: (text, parameters) => read(run => run(text, parameters)),
    transact: change => write(run => change(asSql(run))),
    now: async () => now(),
    nowIn: parameter => parameter(now()),
    dialect,
  }
  const captures = createCaptures(dialect, {
    writers: 1,
    now,
    onDue: due.raise,
    transact: change => write(run => change(asSql(run), 1)),
    isUnavailable: error => error instanceof StoreUnavailable,
  })
  const changes = createChanges(port)
  const alerts = createAlertRecords(port)

  async function forget({ leads, sent, traces }: ErasedLeads, look: boolean): Promise<Erasure> {
    const writeOne = (text: string, parameters: readonly (string | number)[]) => write(run => run(text, parameters))
    const left = await forgetTraces({ database: writer, file, traces, busyTimeoutMs, look, write: writeOne })
    return { leads, sent, traces: left }
  }

  return {
    ...createQueries(port),
    ...alerts,
    ...createDeskStore(port),
    capture: captures.capture,
    rememberConsent: presented => remember('consents', presented),
    rememberQuestionnaire: presented => remember('questionnaires', presented),
    presentedVersions: async () => ({
      consents: await versionsIn('consents'),
      questionnaires: await versionsIn('questionnaires'),
    }),
    async probe() {
      const upsert = 'INSERT INTO readiness VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET written_at = $1'
      await write(run => run(upsert, [now()]))
    },
    lease: async order => withoutSuppressed(port, await write(run => lease(run, now(), randomUUID(), order))),
    settle: settlement => write(run => settle(run, now(), settlement)),
    nextDue: () => read(run => nextDue(run, now())),
    bringForward: createBringForward(port),
    backlog: () => read(run => backlog(run, now())),
    onDue: due.listen,
    ...createDeliveryPause(port, due.raise, alerts.keepAlert),
    countRedeliverable: changes.countRedeliverable,
    reject: changes.reject,
    release: async which => due.raiseIfAny(await changes.release(which)),
    redeliver: async selection => due.raiseIfAny(await changes.redeliver(selection)),
    erase: async order => forget(await eraseLeads(port, order), true),
    async eraseBefore(order) {
      const { last, ...erased } = await eraseNextBefore(port, order)
      return { ...(await forget(erased, false)), last }
    },
    notErased: ids => findNotErased(port, ids),
    erasedLeadsOf: request => findErased(port, request),
    ...createSuppressions(port),
    addPageCounts: counts => addPageCounts(port, counts),
    postPageCounts: () => postPageCounts(port),
    countLeads: order => countLeads(port, order),
    funnel: request => funnel(port, request),
    funnels: request => funnels(port, request),
    dealingSecret: suggested => dealingSecret(port, suggested),
    async close() {
      await captures.idle()
      await idle()
      if (reader !== writer) reader.close()
      writer.close()
    },
  }
}

/** The shared changes are written for engines that answer later. */
function asSql(run: Run): Sql {
  return async (text, parameters) => run(text, parameters)
}

/** Tells of deliveries that came due: once for all that one commit brought. */
function createDueSignal() {
  const listeners = new Set<() => void>()
  let raised = false
  function raise(): void {
    if (raised) return
    raised = true
    process.nextTick(() => {
      raised = false
      for (const listener of listeners) listener()
    })
  }
  return {
    raise,
    raiseIfAny(leads: number): number {
      if (leads > 0) raise()
      return leads
    },
    listen(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
