/** The doctor's look at who else on this machine can get at the store. The server makes it for its own user alone. */
import { statSync } from 'node:fs'
import type { StoreHealth } from '../../server/store/health.ts'
import { type Finding, findingsAbout } from './finding.ts'

const GROUP_AND_OTHERS = 0o077

const { ok, warning } = findingsAbout('Store')

export function checkPrivacy({ folder, files }: NonNullable<StoreHealth['disk']>): readonly Finding[] {
  // Windows has no such modes: what Node makes up there would be a warning for everybody.
  if (process.platform === 'win32' || files.length === 0) return []
  const open = [folder, ...files].flatMap(path => {
    const mode = modeOf(path)
    return mode !== null && (mode & GROUP_AND_OTHERS) !== 0 ? [{ path, mode }] : []
  })
  if (open.length === 0) return [ok('It is closed to other users of this machine.')]
  const modes = open.map(({ path, mode }) => `${path} (mode ${mode.toString(8)})`).join(', ')
  const paths = open.map(({ path }) => quoted(path)).join(' ')
  return [warning(`It is open to other users of this machine: ${modes}. Close it with: chmod go-rwx ${paths}`)]
}

function modeOf(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? found.mode & 0o777 : null
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
