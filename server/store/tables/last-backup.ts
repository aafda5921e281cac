/** When backups were last made, nightly and every 15 minutes, and what's wrong with them. */
import { insert, type SqlPort } from '../sql.ts'

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

/** In last_backup.made_at: backups were tried, but none has succeeded. */
const NEVER = 0

/** Small clock corrections don't matter. */
const TOLERANCE_MS = 60_000

export function createBackupRecords({ read, transact, now }: SqlPort) {
  return {
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
