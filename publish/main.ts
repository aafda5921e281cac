/**
 * Publishes the site on a server, if its words, pictures, or settings have changed: node publish/main.ts. deploy/publish.sh runs it. In a
 * release, `built` is a link to `live` in a folder of this release, and `live` is a link to the site that's served. Whatever happens, that
 * is a whole site. Exits with 3 if someone has to change the folder. Anything else may be over later: without memory, Node exits with 1.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { BUILT_SITE } from '../server/http/site-files.ts'
import { MANIFEST_FILE, type PublishingStatus, STATUS_FILE } from '../server/http/site-manifest.ts'
import { ConfigError, loadConfig } from '../server/settings/config.ts'
import { pictureFolders } from '../site-folder/files.ts'
import { formatFinding } from '../site-folder/findings.ts'
import { readSite } from '../site-folder/read-site.ts'
import type { SiteData } from '../site-folder/types.ts'
import { readManifest } from './carry-over.ts'
import { COMPILED } from './compiled.ts'
import { PictureError } from './pictures.ts'
import { bakedSettings, type Output, publish } from './site.ts'

/** Where the link of this release leads: its folder among those of all releases. */
const live = resolve(dirname(BUILT_SITE), readlinkSync(BUILT_SITE))
const own = dirname(live)
const startedAt = new Date().toISOString()

async function main(): Promise<void> {
  const config = loadConfig()
  mkdirSync(own, { recursive: true })
  for (const unfinished of readdirSync(own).filter(name => name.startsWith('new-'))) {
    rmSync(join(own, unfinished), { recursive: true })
  }
  const { siteFolder } = config
  const before = newestSite()
  const { data, findings } = readSite(siteFolder, readManifest(before)?.reviewed ?? [])
  if (data === null) return refuse(findings.filter(({ level }) => level === 'error').map(formatFinding))
  const of = hashOf(bakedSettings(config), data, pictureFolders(siteFolder))
  if (readManifest(live)?.publication?.of === of) return tell([])
  const last = existsSync(live) ? basename(realpathSync(live)) : null
  const folder = mkdtempSync(join(own, 'new-'))
  try {
    const at = new Date().toISOString()
    const publication = { at, of, commit: siteFolder === null ? null : commitOf(siteFolder) }
    const output: Output = { built: folder, dist: null, before, compression: 'maximum', publication }
    await publish(config, output, data)
    const name = `${at.replaceAll(/\W/g, '').slice(0, 18)}-${of.slice(0, 8)}`
    // The server and nginx read it as other users.
    chmodSync(folder, 0o755)
    // Otherwise, a power cut could leave empty files behind the link.
    spawnSync('sync', ['-f', folder])
    renameSync(folder, join(own, name))
    symlinkSync(name, join(own, 'new-link'))
    renameSync(join(own, 'new-link'), live)
    console.log(`Published ${name}.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  // Someone may still be reading the last one.
  const kept = [last, basename(realpathSync(live))]
  for (const old of globSync('2*-*', { cwd: own })) if (!kept.includes(old)) rmSync(join(own, old), { recursive: true })
  tell([])
}

/** For the desk and the server's alerts. An edit since the start may not be in it. */
function tell(errors: readonly string[]): void {
  const status: PublishingStatus = { triedAt: startedAt, errors }
  writeFileSync(join(own, `new-${STATUS_FILE}`), JSON.stringify(status))
  renameSync(join(own, `new-${STATUS_FILE}`), join(own, STATUS_FILE))
}

/** What a site is made of. What was live before is different on each server. */
function hashOf(settings: object, { reviewed: _, ...data }: SiteData, pictures: readonly string[]): string {
  const hash = createHash('sha256').update(readFileSync(join(COMPILED, 'fingerprint')))
  hash.update(JSON.stringify([settings, data]))
  for (const folder of pictures) {
    for (const file of globSync('*', { cwd: folder }).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  }
  return hash.digest('hex')
}

/** Null if the folder isn't a git repository. */
function commitOf(folder: string): string | null {
  const read = (file: string) => {
    const path = join(folder, '.git', file)
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  }
  const head = read('HEAD')
  const branch = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1]
  const packed = read('packed-refs')
    .split('\n')
    .find(line => branch && line.endsWith(` ${branch}`))
  const commit = branch ? read(branch) || (packed ?? '').slice(0, 40) : head
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit : null
}

/** The one that visitors have seen last, whichever release made it. */
function newestSite(): string | null {
  const sites = globSync('*/live', { cwd: dirname(own) }).map(site => join(dirname(own), site))
  const publishedAt = (site: string) => statSync(join(site, MANIFEST_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return sites.sort((a, b) => publishedAt(a) - publishedAt(b)).at(-1) ?? null
}

/** Someone has to mend the folder. */
function refuse(errors: readonly string[]): void {
  process.exitCode = 3
  tell(errors)
  console.error(errors.join('\n'))
}

try {
  await main()
} catch (error) {
  if (error instanceof PictureError) refuse([error.message])
  else {
    process.exitCode = 2
    console.error(error instanceof ConfigError ? error.message : error)
  }
}
