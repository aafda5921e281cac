/**
 * Builds the site if what it is made from has changed since the last build: `node build/if-stale.ts [built dist]`. When that
 * fails, the last good site goes on being served: a typing error must not take a site down.
 */
import { parseArgs } from 'node:util'
import { SiteMistaken } from './mistakes.ts'
import { buildSite, builtAt, isStale, loadConfigOrExit, places } from './site-build.ts'

const { values, positionals } = parseArgs({ options: { 'types-checked': { type: 'boolean' } }, allowPositionals: true })
const [built = places.built, dist = places.dist] = positionals
const config = loadConfigOrExit()

if (isStale(config, { built, dist })) {
  console.log('Building the site …')
  try {
    await buildSite(config, { built, dist }, { checkTypes: values['types-checked'] !== true })
  } catch (error) {
    const lastGood = builtAt({ built, dist })
    const reason = error instanceof SiteMistaken ? error.message : error instanceof Error ? error.stack : error
    console.error(`The site was not built.\n\n${reason}\n`)
    if (lastGood === null) process.exit(1)
    console.error(
      `The last good build, of ${lastGood.toLocaleString('en-US')}, is served instead: what was changed since is not live.`,
    )
  }
}
