/** Maintains the store itself: health checks, size, backups, and recovery after the clock is set back. */
import { HOUR } from '../../../../domain/durations.ts'
import { lanes, leaseMs } from '../../facts/deliveries/messages.ts'
import { isPending } from '../../facts/leads/states.ts'
import { STORE_VERSION } from '../../schema.ts'
import { insert, type Sql, type SqlPort } from '../../sql.ts'
import { StoreUnavailable } from '../../store-errors.ts'
import { clockRows, clockTimes, setClock } from '../../tables/clock.ts'
import { emptyLog } from '../leads/erasure.ts'

/** A report on the store, for the operator. */
export type StoreHealth =
  | { readonly kind: 'missing'; readonly location: string }
  /** The store can't be opened; the message says why and what to do. */
  | { readonly kind: 'unusable'; readonly message: string }
  /** `writeError`: why the store isn't accepting writes. `erasedInLog`: SQLite's log still has people who were erased. */
  | (EngineHealth & { kind: 'usable'; version: number; bytes: number; writeError: string | null; erasedInLog: boolean })

/** The part of the report that comes from the engine. */
export interface EngineHealth {
  readonly location: string
  /** Whether an acknowledged lead survives a power outage, and what to do if it doesn't. */
  readonly durability: { readonly safe: boolean; readonly message: string }
  readonly intact: boolean
  /** Without an index, search reads every lead. `create` is the SQL that creates it. */
  readonly search: { readonly indexed: true } | { readonly indexed: false; readonly create: string }
}

/** Why a copy isn't replaced. */
export type NotOurs = 'another store' | 'has more' | 'unreadable'

/** What's wrong beside a backup that was made. */
export interface BackupTrouble {
  /** A copy that isn't replaced, a backup that isn't deleted on schedule, or a folder that couldn't be copied, or whose disk is nearly full. */
  readonly file: string
  readonly because: NotOurs | 'not copied' | 'nearly full'
}

export interface BackupStatus {
  /** Of the last backup; null if there was none, or its time is still to come. */
  readonly ageMs: number | null
  /** When a backup was made, the clock was ahead, or it's behind now. */
  readonly isTimeWrong: boolean
  /** Of the copy that's replaced every 15 minutes; null if that was never tried. */
  readonly latestAgeMs: number | null
  /** Whether someone has tried to make one. */
  readonly wasTried: boolean
  /** Whether it's on the store's own disk. */
  readonly sameDisk: boolean
  /** The copy that this store's copies don't replace, and why. */
  readonly notReplaced: { readonly file: string; readonly because: NotOurs } | null
  /** The organization's folder, if it isn't in the backups. */
  readonly notCopied: string | null
  /** The backups' folder, if its disk is nearly full. */
  readonly nearlyFull: string | null
  /** A backup of another store among this one's, which isn't deleted on schedule. */
  readonly ofAnotherStore: string | null
  readonly oldestLeadAgeMs: number
}

/** `latest`: the copy that's replaced every 15 minutes. */
export type BackupKind = 'nightly' | 'latest'
const backupRows: Readonly<Record<BackupKind, number>> = { nightly: 1, latest: 2 }

interface BackupRecord {
  readonly leads: number
  readonly sameDisk: boolean
  readonly kind?: BackupKind
  readonly trouble?: BackupTrouble | null
}

interface BackupRow {
  readonly id: number
  readonly madeAt: number
  readonly sameDisk: number
  readonly file: string | null
  readonly because: BackupTrouble['because'] | null
}

/** Calls are limited for a day, and someone may be away on a weekend. */
const RESTORE_SHOWN_MS = 72 * HOUR

/** In last_backup.made_at: backups were tried, but none has succeeded. */
const NEVER = 0

/** SQL: when a lease that began at this time ends. */
const endOfLease = (at: string) =>
  `CAST(${at} AS BIGINT) + CASE lane ${lanes.map(lane => `WHEN '${lane}' THEN ${leaseMs[lane]}`).join(' ')} END`

/** Small clock corrections don't matter. */
const TOLERANCE_MS = 60_000

export function createUpkeep(port: SqlPort, inspect: () => Promise<EngineHealth>) {
  const { read, transact, now } = port
  /** Health check: does a no-op write. Rejects with StoreUnavailable if the store can't accept leads. */
  async function probe(): Promise<void> {
    const then = 'ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at'
    await transact(tx => insert(tx, 'readiness', { id: 1, writtenAt: tx.at }, then))
  }

  async function storeBytes(): Promise<number> {
    const [row] = await read<{ bytes: number }>(read.dialect.storeBytes)
    return row?.bytes ?? 0
  }

  return {
    probe,
    storeBytes,
    /** A report for the operator. Only a real write shows whether the disk is full. Also empties the log, if someone was erased. */
    async health(): Promise<StoreHealth> {
      const writeError = await probe().then(
        () => null,
        error => {
          if (error instanceof StoreUnavailable) return error.message
          throw error
        },
      )
      const erasedInLog = !(await emptyLog(port))
      const engine = await inspect()
      return { kind: 'usable', version: STORE_VERSION, bytes: await storeBytes(), ...engine, writeError, erasedInLog }
    },
    /** The database clock, in milliseconds since the epoch. */
    storeTime: now,
    /**
     * After the clock is set back, pending deliveries would wait too long. Moves each one up by the amount the clock is
     * behind the latest time the store has recorded. Returns that amount, or 0 if the clock wasn't set back.
     */
    rescheduleAfterClockChange: () =>
      transact(async tx => {
        const [clock] = await tx<{ latest: number }>('SELECT latest_at AS latest FROM clock WHERE id = $1', [
          clockRows.worker,
        ])
        // If multiple replicas notice, only the first one reschedules: by then, the time the other replicas read has changed.
        const update = 'UPDATE clock SET latest_at = $2 WHERE id = $1 AND latest_at = $3 RETURNING id'
        const [ours] = clock
          ? await tx(update, [clockRows.worker, tx.at, clock.latest])
          : await insert(
              tx,
              'clock',
              { id: clockRows.worker, latestAt: tx.at },
              'ON CONFLICT (id) DO NOTHING RETURNING id',
            )
        // A first attempt is due within one lease. If it's due later, the clock was set back before the store first read it.
        const leaseEnd = endOfLease('$1')
        const first = `UPDATE outbox SET next_at = ${leaseEnd} WHERE ${isPending} AND attempts = 0 AND put_off = 0 AND next_at > ${leaseEnd}`
        await tx(first, [tx.at])
        const behindMs = clock ? clock.latest - tx.at : 0
        if (!ours || behindMs <= TOLERANCE_MS) return 0
        // A leased delivery may be in flight, so it waits for a full lease, no matter what the clock says.
        await tx(
          `UPDATE outbox SET next_at = CASE WHEN lease_token IS NULL THEN next_at - $2 WHEN next_at > ${leaseEnd} THEN ${leaseEnd} ELSE next_at END
           WHERE ${isPending} AND next_at > $1`,
          [tx.at, behindMs],
        )
        await tx('UPDATE alerts SET send_at = send_at - $1 WHERE send_at > $2', [behindMs, tx.at])
        return behindMs
      }),
    /**
     * `lastPassAt`: the last time that retention found plausible. The time above also follows a clock that jumps ahead.
     * `stoppedAt`: since when the clock has been implausible.
     */
    async retentionTimes() {
      const timeOf = await clockTimes(read)
      return { lastPassAt: timeOf('retention'), stoppedAt: timeOf('retentionStop') }
    },
    /** Retention passed at this plausible time. */
    recordRetention: (at: number) => transact(sql => markRetentionTime(sql, at)),
    recordRetentionStop: (at: number) => transact(sql => setClock(sql, clockRows.retentionStop, at)),
    /** For a few days after a restore: until when the backup knows leads and calls. Otherwise, null. */
    async restoredTo() {
      const timeOf = await clockTimes(read)
      return (timeOf('restored') ?? 0) > (await now()) - RESTORE_SHOWN_MS ? timeOf('knownUntil') : null
    },
    /** The store's own, wherever it is: a restore and a move keep it. */
    async storeId() {
      const [row] = await read<{ id: string }>('SELECT id FROM store_identity')
      return row?.id ?? ''
    },
    /** `sameDisk`: whether the copy is on the store's own disk. */
    async recordBackup({ leads, sameDisk, kind = 'nightly', trouble = null }: BackupRecord) {
      const why = { file: trouble?.file ?? null, because: trouble?.because ?? null }
      const row = { id: backupRows[kind], leads, sameDisk: sameDisk ? 1 : 0, ...why }
      const then = `ON CONFLICT (id) DO UPDATE SET made_at = excluded.made_at, leads = excluded.leads, same_disk = excluded.same_disk,
        file = excluded.file, because = excluded.because`
      await transact(tx => insert(tx, 'last_backup', { ...row, madeAt: tx.at }, then))
    },
    /** From now on, backups are expected, even if none has succeeded yet. */
    async recordFailedBackup(kind: BackupKind = 'nightly') {
      const none = { id: backupRows[kind], leads: 0, madeAt: NEVER }
      await transact(sql => insert(sql, 'last_backup', none, 'ON CONFLICT (id) DO NOTHING'))
    },
    async lastBackup() {
      const [row] = await read<{ madeAt: number; leads: number; sameDisk: number }>(
        `SELECT made_at, leads, same_disk FROM last_backup WHERE id = ${backupRows.nightly} AND made_at <> ${NEVER}`,
      )
      return row ? { ...row, sameDisk: row.sameDisk === 1 } : null
    },
    async backupStatus(): Promise<BackupStatus> {
      const at = await now()
      const rows = await read<BackupRow>('SELECT id, made_at, same_disk, file, because FROM last_backup')
      const last = rows.find(({ id }) => id === backupRows.nightly)
      const latest = rows.find(({ id }) => id === backupRows.latest)
      const isToCome = ({ madeAt }: BackupRow) => madeAt > at + TOLERANCE_MS
      const [oldest] = await read<{ at: number }>('SELECT received_at AS at FROM leads ORDER BY id LIMIT 1')
      return {
        ageMs: last && last.madeAt !== NEVER && !isToCome(last) ? Math.max(0, at - last.madeAt) : null,
        isTimeWrong: rows.some(isToCome),
        latestAgeMs: latest ? Math.max(0, at - latest.madeAt) : null,
        wasTried: last !== undefined,
        sameDisk: (last && last.madeAt !== NEVER ? last : latest)?.sameDisk === 1,
        notReplaced: notReplaced(latest),
        notCopied: fileIf('not copied', last) ?? fileIf('not copied', latest),
        // The copy is made more often, so it knows first that there's room again.
        nearlyFull: fileIf('nearly full', latest ?? last),
        ofAnotherStore: fileIf('another store', last),
        oldestLeadAgeMs: oldest ? Math.max(0, at - oldest.at) : 0,
      }
    },
  }
}

const fileIf = (because: BackupTrouble['because'], row: BackupRow | undefined) =>
  row?.because === because ? row.file : null

function notReplaced(latest: BackupRow | undefined): BackupStatus['notReplaced'] {
  const { file = null, because = null } = latest ?? {}
  if (file === null || because === null || because === 'not copied' || because === 'nearly full') return null
  return { file, because }
}

/** Vouches for the clock: see retention.ts. */
export async function markRetentionTime(sql: Sql, at: number): Promise<void> {
  await setClock(sql, clockRows.retention, at)
  await sql('DELETE FROM clock WHERE id = $1', [clockRows.retentionStop])
}
