/** What to type on this machine, for hints: where deploy/setup.sh installed it, in a checkout, or in a container. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

function findPlace(): 'server' | 'checkout' | 'container' {
  if (import.meta.dirname.startsWith('/srv/ssdi-advocate/')) return 'server'
  // A release has none.
  if (existsSync(join(import.meta.dirname, '../../package-lock.json'))) return 'checkout'
  // Unpacked to be installed.
  return existsSync('/run/systemd/system') ? 'server' : 'container'
}
const place = findPlace()

const leads = { server: 'sudo leads', checkout: 'npm run leads --', container: 'node cli/main.ts' }
export const LEADS = leads[place]

/** The same, to redirect or pipe the output: without -s, npm adds two lines. */
export const LEADS_PIPED = LEADS.replace('npm run', 'npm run -s')

/** The commands for the organization's folder. */
export const SITE = { server: 'sudo leads site', checkout: 'npm run site --', container: 'node site-folder/main.ts' }[
  place
]

export const LAUNCH_CHECK = place === 'checkout' ? 'npm run launch-check' : 'Setup in the desk'

const builds = {
  server: 'sudo systemctl restart ssdi-advocate-publish',
  checkout: 'npm run build',
  container: 'node publish/main.ts',
}
export const BUILD_SITE = builds[place]
