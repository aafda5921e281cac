/**
 * Builds the sites that tests use: the one that ships, and two with other settings. Each in its own process with a clean
 * environment: the test runner's NODE_ENV would bundle React's development build.
 */
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { BUILT } from '../../build/build.ts'
import { DIRECT_ENDPOINT, DIRECT_SITE, TRUSTED_FORM_SITE } from './other-sites.ts'
import { PROGRAM_ENV } from './processes.ts'

const script = join(import.meta.dirname, '../../build/main.ts')

async function build(built: string, env: Readonly<Record<string, string>>): Promise<void> {
  const dist = join(dirname(built), 'dist')
  mkdirSync(dirname(built), { recursive: true })
  const args = [script, 'site', '--if-stale', '--types-checked', '--built', built, '--dist', dist]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: { ...PROGRAM_ENV, ...env },
  })
  process.stdout.write(stdout)
  process.stderr.write(stderr)
}

async function buildDesk(): Promise<void> {
  await promisify(execFile)(process.execPath, [script, 'desk', '--if-stale'], {
    env: { ...PROGRAM_ENV },
  })
}

/** `SITES=built` skips this: most unit tests don't look at a site, and a build takes a while. */
export default async function buildSites(): Promise<void> {
  if (process.env['SITES'] === 'built') return
  await Promise.all([
    build(BUILT, {}),
    build(DIRECT_SITE, { SITE_LEAD_ENDPOINT: DIRECT_ENDPOINT }),
    build(TRUSTED_FORM_SITE, { TRUSTEDFORM: 'sandbox' }),
    buildDesk(),
  ])
}
