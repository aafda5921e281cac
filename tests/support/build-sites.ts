/**
 * Builds the sites that tests use: the one that ships, one that sends leads straight to a webhook, and the filled-in
 * example. Uses separate processes, because the test runner's NODE_ENV would bundle React's development build.
 */
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { BUILT } from '../../build/build.ts'
import { buildFilledIn } from './filled-in.ts'
import { PROGRAM_ENV } from './processes.ts'

const project = join(import.meta.dirname, '../..')

export const DIRECT_ENDPOINT = 'http://webhook.example/hook?source=site'
export const DIRECT_SITE = join(project, '.cache/sites/direct/built')

async function build(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(project, 'build/main.ts'), ...args, '--if-stale'],
    { env: { ...PROGRAM_ENV, ...env } },
  )
  process.stdout.write(stdout)
  process.stderr.write(stderr)
}

async function buildSite(built: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const dist = join(dirname(built), 'dist')
  mkdirSync(dirname(built), { recursive: true })
  const compression = built === BUILT ? [] : ['--fast-compression']
  await build(['site', ...compression, '--built', built, '--dist', dist], env)
}

export const buildShippedSite = () => buildSite(BUILT)

export const buildDesk = () => build(['desk'])

/** Before all journeys in browsers. `SITES=built` skips it, for a single journey. */
export default async function prepareJourneys(): Promise<void> {
  if (process.env['SITES'] === 'built') return
  const { prepareMonths } = await import('./desk-server.ts')
  const buildAllSites = async () => {
    // The others use what it compiles.
    await buildShippedSite()
    await Promise.all([buildSite(DIRECT_SITE, { SITE_LEAD_ENDPOINT: DIRECT_ENDPOINT }), buildFilledIn()])
  }
  await Promise.all([buildAllSites(), buildDesk(), prepareMonths()])
}
