/** Builds the site if what it is made from has changed since the last build: `node build/if-stale.ts [folder]`. */
import { resolve } from 'node:path'
import { ConfigError, loadConfig } from '../server/config.ts'
import { buildIfStale, DIST } from './site-build.ts'

try {
  const [folder = DIST] = process.argv.slice(2)
  await buildIfStale(loadConfig(), resolve(folder))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}
