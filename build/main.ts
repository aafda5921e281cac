/**
 * Runs as `npm run build`, and before `npm start` and `npm run desk`: node build/main.ts [site] [desk] [program] [--if-stale].
 * `program` is what a release has instead of the site (compile.ts): a server publishes its own.
 * If a stale site can't be rebuilt, the last good build stays in place: a typo must not take the site down.
 */
import './native-packages.ts'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { forTerminal } from '../server/export/plain-text.ts'
import { build, isStale } from './build.ts'
import { compilation } from './compile.ts'
import { deskBuild } from './desk.ts'
import { DIST, defaultOutput, loadConfigOrExit, siteBuild } from './site.ts'

const { values, positionals } = parseArgs({
  options: {
    'if-stale': { type: 'boolean' },
    /** For tests, which build many copies. */
    'fast-compression': { type: 'boolean' },
    built: { type: 'string', default: defaultOutput.built },
    /** For a static host. By default, only `npm run build` writes it. */
    dist: { type: 'string' },
  },
  allowPositionals: true,
})
const targets = positionals.length > 0 ? positionals : ['site', 'desk']

if (targets.includes('site')) await buildSite()
if (targets.includes('program')) await build(compilation())
if (targets.includes('desk')) {
  const desk = deskBuild()
  if (!values['if-stale'] || isStale(desk)) {
    console.log('Building the desk …')
    await build(desk)
  }
}

async function buildSite(): Promise<void> {
  const { built, 'if-stale': ifStale } = values
  const dist = values.dist ?? (ifStale ? null : DIST)
  const compression = values['fast-compression'] ? 'fast' : 'maximum'
  const site = siteBuild(loadConfigOrExit(), { ...defaultOutput, built, dist, compression })
  if (ifStale && !isStale(site)) return
  console.log('Building the site …')
  try {
    await build(site)
  } catch (error) {
    const { stack, message } = error as Error
    console.error(forTerminal(`The site was not built.\n\n${stack || message}\n`))
    const lastGood = ifStale ? statSync(join(built, 'manifest.json'), { throwIfNoEntry: false }) : undefined
    if (!lastGood) process.exit(1)
    console.error(
      `Serving the last good build, from ${lastGood.mtime.toLocaleString('en-US')}. Changes since then are not live.`,
    )
  }
}
