/** `npm run launch-check`: says what stands between this site and the public, and exits 1 while anything does. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fingerprintOf } from '../build/fingerprint.ts'
import { styled } from '../cli/terminal/surroundings.ts'
import { counted } from '../cli/terminal/words.ts'
import type { LaunchFinding } from '../domain/launch/finding.ts'
import { settingFindings } from '../domain/launch/settings.ts'
import { type Config, ConfigError, loadConfig } from '../server/config.ts'
import { launchSettings } from '../server/launch/launch-settings.ts'
import { readBuiltSite } from './built-site.ts'
import { type LaunchReport, launchReport } from './check.ts'
import { checkExternalLinks } from './external-links.ts'
import { createPlaces } from './places.ts'
import { externalLinks } from './rules/links.ts'

const HELP = `Says what stands between this site and the public: reads the built site, content/ and the settings, worst first, each
with the reason and the line to change. Changes nothing. Exits 1 while anything is open, so that a deployment stops.

  npm run launch-check
  npm run launch-check -- --offline    does not ask other sites whether our links to them work
  npm run -s launch-check -- --json    for machines: {"ready", "blockers", "notes"}

What somebody takes responsibility for is recorded in content/claims.ts, under the name that stands before each reason.
`

const root = join(import.meta.dirname, '..')

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${HELP}`)
    return 2
  }
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  const report = await check(loadConfig(), options.offline)
  const isReady = report.blockers.length === 0
  process.stdout.write(options.json ? `${JSON.stringify({ ready: isReady, ...report }, null, 2)}\n` : text(report))
  return isReady ? 0 : 1
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean' }, offline: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
    return { json: values.json ?? false, offline: values.offline ?? false, help: values.help ?? false }
  } catch (error) {
    return (error as Error).message
  }
}

async function check(config: Config, offline: boolean): Promise<LaunchReport> {
  const site = readBuiltSite(join(root, 'built'))
  if (site === null) throw new Error('The site is not built. Run `npm run build` first.')
  // Not before the site is there: what is broken in content/ is told by the build, with file and line.
  const { siteFindings } = await import('./site-findings.ts')
  const { justifications } = await import('../content/claims.ts')
  const urls = externalLinks(site.pages, config.siteUrl)
  return launchReport({
    findings: [
      ...siteFindings({ ...site, siteUrl: config.siteUrl }),
      ...settingFindings(launchSettings(config)),
      ...(site.fingerprint === fingerprintOf(root, config) ? [] : [outOfDate]),
    ],
    links: offline
      ? urls.map(url => ({ url, standing: 'unchecked', reason: '--offline' }))
      : await checkExternalLinks(urls),
    justifications,
    today: new Date().toISOString().slice(0, 10),
    // biome-ignore lint/style/noProcessEnv: which settings stand there, to say where to change them
    placeOf: createPlaces({ root, settingsFile: config.settingsFile?.path ?? null, environment: process.env }),
  })
}

const outOfDate: LaunchFinding = {
  code: 'site_out_of_date',
  subject: 'built',
  detail: 'The built site is older than content/ or the settings: what was checked is not what would be built.',
  change: { after: [] },
}

function text({ blockers, notes }: LaunchReport): string {
  const { stdout } = process
  const open = blockers.map(
    ({ id, reason, change }, index) =>
      `${String(index + 1).padStart(3)}. ${styled(stdout, 'bold', id)}\n     ${reason}\n     ${styled(stdout, 'dim', change)}\n`,
  )
  const noted = notes.map(({ id, reason }) => `  - ${id}\n    ${reason}\n`)
  const head =
    blockers.length === 0
      ? 'Nothing that this check knows of keeps the site from the public. It is no legal advice.\n'
      : `Not ready for the public: ${counted(blockers.length, 'thing')} to settle, worst first.\n`
  return [head, ...open, ...(noted.length === 0 ? [] : ['\nNotes:\n', ...noted])]
    .join('\n')
    .replaceAll('\n\n\n', '\n\n')
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // Faults of the settings and of the build are told without a stack trace.
  process.stderr.write(`${error instanceof ConfigError || error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
