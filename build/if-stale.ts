/** Builds the site if what it is made from has changed since the last build. Runs before `npm start`. */
import { ConfigError, readConfig } from '../server/config.ts'
import { buildIfStale } from './site-build.ts'

try {
  await buildIfStale(readConfig())
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}
