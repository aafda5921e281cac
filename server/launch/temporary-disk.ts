/** Whether a folder is on a disk that does not last: leads kept there are gone with the next restart. */
import { existsSync, realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve, sep } from 'node:path'

/** By Linux's numbers for file systems (`man statfs`). */
const TEMPORARY = new Map([
  [0x01021994, 'is in memory (tmpfs)'],
  [0x858458f6, 'is in memory (ramfs)'],
  [0x794c7630, 'is inside a container, and gone with it (overlayfs)'],
])

/** Why the folder, or where it is going to be, does not last; null when nothing speaks against it. */
export function temporaryDisk(folder: string): string | null {
  let place = resolve(folder)
  while (!existsSync(place)) place = dirname(place)
  const real = realpathSync(place)
  if ([tmpdir(), '/tmp', '/var/tmp', '/run'].some(temporary => isInside(real, temporary))) {
    return `${folder} is a folder for temporary files`
  }
  const kind = process.platform === 'linux' ? TEMPORARY.get(statfsSync(real).type) : undefined
  return kind === undefined ? null : `${folder} ${kind}`
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(folder + sep)
