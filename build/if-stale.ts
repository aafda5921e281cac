/** Builds the site if what it is made from has changed since the last build. Runs before `npm start`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBuilder } from 'vite'
import { ConfigError, readConfig } from '../server/config.ts'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { fingerprintOf } from './fingerprint.ts'

const root = join(import.meta.dirname, '..')

function builtFingerprint(): string | null {
  try {
    return (JSON.parse(readFileSync(join(root, 'dist', MANIFEST_FILE), 'utf8')) as SiteManifest).fingerprint
  } catch {
    return null
  }
}

try {
  const config = readConfig()
  if (builtFingerprint() !== fingerprintOf(root, config)) {
    console.log('Building the site …')
    await (await createBuilder({ root, logLevel: 'warn' })).buildApp()
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}
