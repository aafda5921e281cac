/** Says when a disk is nearly full. For the alert, and for `doctor`. */
import { statfsSync } from 'node:fs'
import type { Config } from '../settings/config.ts'
import type { Alerts } from './alerts.ts'

const GIGABYTE = 1024 ** 3
/** Below either, someone has to act: a flood's log lines take days to fill as much. */
const MIN_SHARE = 0.1
const MIN_BYTES = 2 * GIGABYTE

export interface Room {
  readonly free: number
  readonly isLow: boolean
}

/** Null if there is no such folder. */
export function roomIn(folder: string, measure: typeof statfsSync = statfsSync): Room | null {
  try {
    const { bavail, blocks, bsize } = measure(folder)
    const free = bavail * bsize
    return { free, isLow: free < MIN_BYTES || bavail < blocks * MIN_SHARE }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Not where ERASURE_LIST and the backups are: a share that hangs would hold this process. `leads backup` says if there's no room for the next. */
export const watchedDisks = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) => [
  ...(databaseUrl === null ? [{ what: 'the store', folder: dataDir }] : []),
  { what: 'logs', folder: '/var/log' },
]

export function checkDisks(alerts: Alerts, disks: ReturnType<typeof watchedDisks>, measure = roomIn): void {
  for (const { what, folder } of disks) {
    const room = measure(folder)
    if (!room?.isLow) continue
    const text = `The disk with ${what} (${folder}) has only ${(room.free / GIGABYTE).toFixed(1)} GB free. When it’s full, leads are refused. See what’s large: sudo du -xh --max-depth=2 / | sort -h | tail`
    alerts.raise('disk_low', text, { detail: { folder } })
    return
  }
}
