/** Prints what the server says about its store, for deploy/release.sh: ready, opening, upgrading, or failed, and why. */
import { fail } from '../../server/process/exit.ts'
import { ConfigError, loadConfig } from '../../server/settings/config.ts'
import { readinessOf } from './connections.ts'

try {
  const { status, reason = '' } = await readinessOf(loadConfig())
  console.log(`${status} ${reason}`.trim())
} catch (error) {
  if (error instanceof ConfigError) fail(error.message)
  throw error
}
