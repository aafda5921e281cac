/**
 * For deploy/release.sh. Prints what the server says about its store: ready, opening, upgrading, or failed, and why. With `store`, prints
 * `current` if the store is this version's.
 */
import { fail } from '../../server/process/exit.ts'
import { ConfigError, loadConfig } from '../../server/settings/config.ts'
import { connectStore } from '../../server/store/open-store.ts'
import { readinessOf } from './connections.ts'

try {
  const config = loadConfig()
  if (process.argv[2] === 'store') {
    const store = await connectStore(config, { access: 'read' })
    await store.close()
    console.log('current')
  } else {
    const { status, reason = '' } = await readinessOf(config)
    console.log(`${status} ${reason}`.trim())
  }
} catch (error) {
  if (error instanceof ConfigError) fail(error.message)
  throw error
}
