/** `npm run launch-check`: lists launch blockers and exits with code 1 if there are any. */
import { join } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import type { LaunchNote } from '../domain/launch/findings.ts'
import { settingFindings } from '../domain/launch/settings.ts'
import { type LaunchReport, launchReport } from '../launch/check.ts'
import { createLocator } from '../launch/locations.ts'
import { siteNotes } from '../launch/notes.ts'
import { readBuiltSite } from '../launch/page.ts'
import { checkExternalLinks, externalLinks, notChecked } from '../launch/rules/links.ts'
import { siteFindings } from '../launch/site-findings.ts'
import { launchSettings } from '../server/alerts/launch-watch.ts'
import { forTerminal, jsonText } from '../server/export/plain-text.ts'
import { type Config, loadConfig } from '../server/settings/config.ts'
import { changedOriginals, summarize } from '../site-folder/changed-originals.ts'
import { isStale } from './build.ts'
import { siteBuild, siteOf } from './site.ts'

const HELP = `Checks the built site, its texts, and the settings, and lists what's blocking the launch: what is wrong, why it matters, and
the line to change. Doesn’t change anything. Exits with code 1 if there are blockers, so it can stop a deployment.

  npm run launch-check
  npm run launch-check -- --offline    don't check links to other sites
  npm run -s launch-check -- --json    print JSON: {"ready", "blockers", "notes"}

To accept a finding, record who accepted it, when, and why under [accepted] in reviews.toml, with the ID that --json shows.
`

const root = join(import.meta.dirname, '..')

async function main(args: string[]): Promise<number> {
  const { values: options } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, offline: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  const report = await check(loadConfig(), options.offline ?? false)
  const { blockers, notes } = report
  const ready = blockers.length === 0
  process.stdout.write(
    options.json ? `${jsonText({ ready, blockers, notes }, 2)}\n` : forTerminal(formatReport(report)),
  )
  return ready ? 0 : 1
}

async function check(config: Config, offline: boolean): Promise<LaunchReport> {
  const built = readBuiltSite(join(root, 'built'))
  if (built === null) throw new Error('The site is not built. Run `npm run build` first.')
  // Otherwise, we'd check the last good build's pages against newer text.
  if (isStale(siteBuild(config))) {
    throw new Error('The built site is out of date. Fix any errors above, run `npm run build`, and check again.')
  }
  const { data } = siteOf(config)
  const site = { ...built, siteUrl: config.siteUrl }
  const urls = externalLinks(site)
  const { findings, notes } = offline
    ? { findings: [], notes: urls.map(url => notChecked(url, '--offline')) }
    : await checkExternalLinks(urls)
  return launchReport({
    findings: [...siteFindings(data, site), ...settingFindings(launchSettings(config)), ...findings],
    notes: [...siteNotes(config.siteFolder, data), ...upgradeNotes(config.siteFolder), ...notes],
    accepted: data.reviews.accepted,
    today: new Date().toISOString().slice(0, 10),
    locationOf: createLocator({
      root,
      folder: config.siteFolder,
      places: data.places,
      settingsFile: config.settingsFile?.path ?? null,
      // biome-ignore lint/style/noProcessEnv: to report where a setting comes from
      environment: process.env,
    }),
  })
}

function upgradeNotes(folder: Config['siteFolder']): readonly LaunchNote[] {
  const changed = folder === null ? null : summarize(changedOriginals(folder))
  return changed === null ? [] : [{ id: 'originals_changed', reason: changed }]
}

const headings = {
  owner: 'For the owner',
  lawyer: 'For your lawyer',
  marketer: 'For marketing',
  it: 'For IT: in the settings, on the server',
} as const

function formatReport({ causes, notes }: LaunchReport): string {
  const count = `${causes.length} ${causes.length === 1 ? 'blocker' : 'blockers'}`
  const lines = [
    causes.length === 0 ? 'No launch blockers found. This is not legal advice.' : `Not ready to launch: ${count}.`,
  ]
  let number = 0
  for (const [group, heading] of Object.entries(headings)) {
    const inGroup = causes.filter(cause => cause.group === group)
    if (inGroup.length > 0) lines.push('', styleText('bold', heading))
    for (const { reason, change } of inGroup) {
      lines.push(`${String(++number).padStart(3)}. ${reason}`, `     ${styleText('dim', change)}`)
    }
  }
  if (notes.length > 0) lines.push('', styleText('bold', 'Notes'))
  const [unchecked, others] = [true, false].map(isLink =>
    notes.filter(({ id }) => id.startsWith('link_not_checked:') === isLink),
  )
  const links = unchecked?.length
    ? [`  - ${unchecked.length} links to other sites couldn’t be checked. --json lists them.`]
    : []
  return [...lines, ...(others ?? []).map(({ id, reason }) => `  - ${id}: ${reason}`), ...links, ''].join('\n')
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // Wrong options or settings, or a broken build: no stack trace needed.
  process.stderr.write(forTerminal(`${error instanceof Error ? error.message : error}\n`))
  process.exitCode = 1
}
