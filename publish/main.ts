/**
 * Publishes the site on a server, if its words, pictures, or settings have changed: node publish/main.ts. deploy/publish.sh runs it. In a
 * release, `built` is a link to `live` in a folder of this release, and `live` is a link to the site that's served. Whatever happens, that
 * is a whole site. Exits with 1 if someone has to change the folder, and with another code if it may work later.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BUILT_SITE } from '../server/http/site.ts'
import { MANIFEST_FILE, type PublishingStatus, type SiteManifest, STATUS_FILE } from '../server/http/site-manifest.ts'
import { ConfigError, loadConfig } from '../server/settings/config.ts'
import { formatFinding } from '../site-folder/findings.ts'
import { readSite } from '../site-folder/read-site.ts'
import { COMPILED } from './compiled.ts'
import { bakedSettings, publish } from './site.ts'

/** Where the link of this release leads: its folder among those of all releases. */
const live = resolve(dirname(BUILT_SITE), readlinkSync(BUILT_SITE))
const own = dirname(live)

/** Someone may still be reading the last one. */
const KEPT = 2

async function main(): Promise<void> {
  const config = loadConfig()
  mkdirSync(own, { recursive: true })
  for (const unfinished of globSync('new-*', { cwd: own })) rmSync(join(own, unfinished), { recursive: true })
  const { data, findings } = readSite(config.siteFolder)
  if (data === null) {
    const errors = findings.filter(({ level }) => level === 'error').map(formatFinding)
    console.error(errors.join('\n'))
    process.exitCode = 1
    return tell(errors)
  }
  const of = hashOf({ ...bakedSettings(config), data })
  if (readManifest(live)?.publication?.of === of) return tell([])
  const folder = mkdtempSync(join(own, 'new-'))
  try {
    const at = new Date().toISOString()
    const publication = { at, of, commit: null }
    await publish(
      config,
      { built: folder, dist: null, before: newestSite(), compression: 'maximum', publication },
      data,
    )
    const name = `${at.replaceAll(/\W/g, '').slice(0, 15)}-${of.slice(0, 8)}`
    // The server and nginx read it as other users.
    chmodSync(folder, 0o755)
    renameSync(folder, join(own, name))
    symlinkSync(name, join(own, 'new-link'))
    renameSync(join(own, 'new-link'), live)
    console.log(`Published ${name}.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const sites = globSync('2*-*', { cwd: own }).sort()
  for (const old of sites.slice(0, -KEPT)) rmSync(join(own, old), { recursive: true })
  tell([])
}

/** For the desk and the server's alerts. */
function tell(errors: readonly string[]): void {
  const status: PublishingStatus = { triedAt: new Date().toISOString(), errors }
  writeFileSync(join(own, `new-${STATUS_FILE}`), JSON.stringify(status))
  renameSync(join(own, `new-${STATUS_FILE}`), join(own, STATUS_FILE))
}

/** What a site is made of. */
function hashOf(settings: object): string {
  const compiled = readFileSync(join(COMPILED, 'fingerprint'))
  return createHash('sha256').update(compiled).update(JSON.stringify(settings)).digest('hex')
}

function readManifest(folder: string): SiteManifest | null {
  const file = join(folder, MANIFEST_FILE)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** The one that visitors have seen last, whichever release made it. */
function newestSite(): string | null {
  const sites = globSync('*/live', { cwd: dirname(own) }).map(site => join(dirname(own), site))
  const publishedAt = (site: string) => statSync(join(site, MANIFEST_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return sites.sort((a, b) => publishedAt(a) - publishedAt(b)).at(-1) ?? null
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 2
}
