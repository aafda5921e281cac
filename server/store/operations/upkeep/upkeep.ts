/** Maintains the store itself: health checks, size, backups, and recovery after the clock is set back. */
import { HOUR } from '../../../../domain/durations.ts'
import { STORE_VERSION } from '../../schema.ts'
import type { SqlPort } from '../../sql.ts'
import { StoreUnavailable } from '../../store-errors.ts'
import { bringAlertsForward } from '../../tables/alerts.ts'
import { clockRows, clockTimes, markRetentionTime, moveWorkerClock, setClock } from '../../tables/clock.ts'
import { bringFirstAttemptsForward, bringMessagesForward } from '../../tables/outbox.ts'
import { writeReadiness } from '../../tables/readiness.ts'
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

/** Calls are limited for a day, and someone may be away on a weekend. */
const RESTORE_SHOWN_MS = 72 * HOUR

/** Small clock corrections don't matter. */
const TOLERANCE_MS = 60_000

export function createUpkeep(port: SqlPort, inspect: () => Promise<EngineHealth>) {
  const { read, transact, now } = port
  /** Health check: does a no-op write. Rejects with StoreUnavailable if the store can't accept leads. */
  async function probe(): Promise<void> {
    await transact(writeReadiness)
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
        const before = (await clockTimes(tx))('worker')
        const isFirst = await moveWorkerClock(tx, before)
        await bringFirstAttemptsForward(tx)
        const behindMs = before === null ? 0 : before - tx.at
        if (!isFirst || behindMs <= TOLERANCE_MS) return 0
        await bringMessagesForward(tx, behindMs)
        await bringAlertsForward(tx, behindMs)
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
  }
}
