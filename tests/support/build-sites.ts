/**
 * Builds the sites that tests look at: the one that ships, and those with other settings.
 * Each in a process of its own with nothing in its environment but its settings, as an operator would build it: a test
 * runner's NODE_ENV would bring in React's development build.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DIST } from '../../build/site-build.ts'
import { NO_SETTINGS_FILE } from './no-settings-file.ts'
import { DIRECT_DIST, DIRECT_PORT, TRUSTED_FORM_DIST } from './other-sites.ts'

const script = join(import.meta.dirname, '../../build/if-stale.ts')

function build(folder: string, env: Readonly<Record<string, string>>): void {
  execFileSync(process.execPath, [script, folder], { env: { ...NO_SETTINGS_FILE, ...env }, stdio: 'inherit' })
}

export default function buildSites(): void {
  build(DIST, {})
  build(DIRECT_DIST, { SITE_LEAD_ENDPOINT: `http://127.0.0.1:${DIRECT_PORT}/hook?source=site` })
  build(TRUSTED_FORM_DIST, { TRUSTEDFORM: 'sandbox' })
}
