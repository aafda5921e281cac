/** The doctor's look at the store and the disk that it is on. */
import { existsSync, statfsSync } from 'node:fs'
import type { StoreHealth, UsableStore } from '../../server/store/health.ts'
import { type Finding, findingsAbout } from './finding.ts'

const MEGABYTE = 1024 * 1024
const WARN_BELOW_MB = 1024
const FAULT_BELOW_MB = 100

const { ok, warning, fault } = findingsAbout('Store')
const disk = findingsAbout('Disk')

export function checkStore(standing: StoreHealth['standing']): readonly Finding[] {
  if (standing.kind === 'missing') {
    const { place } = standing
    return [warning(`There is no store at ${place} yet. The server makes it when it starts; or is DATA_DIR another?`)]
  }
  if (standing.kind === 'unusable') return [fault(standing.message)]
  const { place, version, bytes, durability, whole, writeFault, search } = standing
  return [
    ok(`${place} is reachable: version ${version}, ${megabytes(bytes)}.`),
    durability.safe ? ok(durability.words) : warning(durability.words),
    whole ? ok('It is whole (quick check).') : fault('It is damaged. Stop the server and restore it from a backup.'),
    writeFinding(writeFault),
    ...(search.indexed
      ? []
      : [
          warning(
            `Search reads every lead: the database role may not create its index. Run as an administrator: ${search.create};`,
          ),
        ]),
  ]
}

function writeFinding(writeFault: UsableStore['writeFault']): Finding {
  if (writeFault === null) return ok('It takes writes.')
  if ('reason' in writeFault) return fault(`It takes no writes: ${writeFault.reason}`)
  const seconds = writeFault.lockedForMs / 1000
  return warning(`Another program has held it locked for ${seconds} s. Leads cannot be taken meanwhile.`)
}

export function checkDisk({ folder }: NonNullable<StoreHealth['disk']>): Finding {
  if (!existsSync(folder)) return disk.warning(`The folder ${folder} does not exist yet.`)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const words = `${megabytes(free)} free where the store is.`
  if (free < FAULT_BELOW_MB * MEGABYTE) return disk.fault(`Only ${words} Leads will be refused when it is full.`)
  return free < WARN_BELOW_MB * MEGABYTE ? disk.warning(`Only ${words}`) : disk.ok(words)
}

function megabytes(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1024 ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}
