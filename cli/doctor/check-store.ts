/** The doctor's look at the store and the disk that it is on. */
import { existsSync, statfsSync } from 'node:fs'
import { DatabaseUnusable } from '../../server/leads/database.ts'
import { inspectStore, type StoreHealth } from '../../server/leads/sqlite-health.ts'
import { storeFile } from '../../server/leads/store-file.ts'
import { type Finding, findingsAbout } from './finding.ts'

const MEGABYTE = 1024 * 1024
const WARN_BELOW_MB = 1024
const FAULT_BELOW_MB = 100

const { ok, warning, fault } = findingsAbout('Store')
const disk = findingsAbout('Disk')

export function checkStore(dataDir: string, busyTimeoutMs: number): readonly Finding[] {
  const file = storeFile(dataDir)
  if (!existsSync(file)) {
    return [warning(`There is no store at ${file} yet. The server makes it when it starts; or is DATA_DIR another?`)]
  }
  try {
    const { version, bytes, journalMode, whole, writeFault } = inspectStore(file, busyTimeoutMs)
    return [
      ok(`${file} is reachable: version ${version}, ${megabytes(bytes)}.`),
      journalMode === 'wal'
        ? ok('Leads are on disk before they are acknowledged (write-ahead log, full sync).')
        : warning(
            `It is not in the mode that keeps leads through a power cut (its journal is ${journalMode}). The server turns that on when it starts: restart it if it runs.`,
          ),
      whole ? ok('It is whole (quick check).') : fault('It is damaged. Stop the server and restore it from a backup.'),
      writeFinding(writeFault, busyTimeoutMs),
    ]
  } catch (error) {
    if (error instanceof DatabaseUnusable) return [fault(error.message)]
    throw error
  }
}

function writeFinding(writeFault: StoreHealth['writeFault'], busyTimeoutMs: number): Finding {
  if (writeFault === null) return ok('It takes writes.')
  if (writeFault !== 'locked') return fault(`It takes no writes: ${writeFault.reason}`)
  return warning(`Another program has held it locked for ${busyTimeoutMs / 1000} s. Leads cannot be taken meanwhile.`)
}

export function checkDisk(dataDir: string): Finding {
  if (!existsSync(dataDir)) return disk.warning(`The folder ${dataDir} does not exist yet.`)
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const words = `${megabytes(free)} free where the store is.`
  if (free < FAULT_BELOW_MB * MEGABYTE) return disk.fault(`Only ${words} Leads will be refused when it is full.`)
  return free < WARN_BELOW_MB * MEGABYTE ? disk.warning(`Only ${words}`) : disk.ok(words)
}

function megabytes(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1024 ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}
