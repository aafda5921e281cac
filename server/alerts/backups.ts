/** Whether backups are made and where, for the alert and `doctor`. */
import { HOUR } from '../../domain/durations.ts'
import type { BackupStatus } from '../store/upkeep/upkeep.ts'

/** Backups are made nightly. */
const MAX_AGE = 26 * HOUR

/**
 * What's wrong with the backups; null if nothing is. A new installation has a day to make its first one. A PostgreSQL database
 * may have its own backups, so it isn't expected to have ours until someone has tried to make one.
 */
export function backupProblem(status: BackupStatus, isEmbedded: boolean): string | null {
  const { ageMs, wasTried, sameDisk, oldestLeadAgeMs } = status
  const isExpected = oldestLeadAgeMs > MAX_AGE && (isEmbedded || wasTried)
  if (!isExpected) return null
  const check =
    'Check the nightly backup (`systemctl status ssdi-advocate-backup`; in containers, the log of `backup`), or run `leads backup FILE`.'
  if (ageMs === null) return `The leads have never been backed up. ${check}`
  if (ageMs > MAX_AGE) return `The last backup is ${Math.floor(ageMs / HOUR)} h old. ${check}`
  if (!sameDisk) return null
  return 'Backups are on the same disk as the store, so one failure would destroy both. Mount another disk or a network share at the backup folder. If something copies the folder to another machine, add --copied to `leads backup`.'
}
