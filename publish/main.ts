/**
 * Publishes the site on a server, if its words, pictures, or settings have changed: node publish/main.ts. deploy/publish.sh runs it. In a
 * release, `built` is a link to `live` in a folder of this release, and `live` is a link to the site that's served. Whatever happens, that
 * is a whole site. Exits with 3 if someone has to change the folder. Anything else may be over later: without memory, Node exits with 1.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
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
import { parseArgs } from 'node:util'
import { forTerminal } from '../server/export/plain-text.ts'
import { BUILT_SITE } from '../server/http/site-files.ts'
import { MANIFEST_FILE, type PublishingStatus, STATUS_FILE } from '../server/http/site-manifest.ts'
import { type Config, ConfigError, loadConfig } from '../server/settings/config.ts'
import { pictureFolders } from '../site-folder/files.ts'
import { formatFinding } from '../site-folder/findings.ts'
import { readSite } from '../site-folder/read-site.ts'
import type { SiteData } from '../site-folder/types.ts'
import { knownReviewed, readManifest } from './carry-over.ts'
import { changedTexts } from './changed-texts.ts'
import { COMPILED } from './compiled.ts'
import { PictureError } from './pictures.ts'
import { bakedSettings, type Output, publish } from './site.ts'

/** Where the link of this release leads: its folder among those of all releases. */
const live = resolve(dirname(BUILT_SITE), readlinkSync(BUILT_SITE))
const own = dirname(live)
const MOST_HISTORY = 100
/** For tests, which publish many sites. */
const { values } = parseArgs({ options: { 'fast-compression': { type: 'boolean' } } })
const compression = values['fast-compression'] ? 'fast' : 'maximum'
const startedAt = new Date().toISOString()

let status = lastStatus()

/** The kernel stops what takes too much memory, and then nobody is left to say so. */
const STOPPED =
  'Publishing was stopped before it was done, probably for lack of memory. Make your pictures smaller. If that doesn’t help, run this on the server: journalctl -u ssdi-advocate-publish'

async function main(): Promise<void> {
  mkdirSync(own, { recursive: true })
  const { errors, isUnfinished } = status
  tell(isUnfinished ? [STOPPED] : errors, true)
  for (const unfinished of readdirSync(own).filter(name => /^(?:new|good-new)-/.test(name))) {
    rmSync(join(own, unfinished), { recursive: true, force: true })
  }
  const config = loadConfig()
  const { siteFolder } = config
  const mistakes = await publishFolder(config, siteFolder === null ? null : commitOf(siteFolder))
  if (mistakes.length === 0) {
    keepGood(config)
    return tell([])
  }
  // With another release or other settings, visitors get the words that they had.
  const good = newest('good')
  const commit = readManifest(newest('live'))?.publication?.commit ?? null
  const isGood = good !== null && (await publishFolder({ ...config, siteFolder: good }, commit)).length === 0
  refuse(mistakes)
  console.error(isGood ? 'Until that’s mended, visitors get the last good folder.' : 'The site is as it was.')
}

/** Returns what someone has to mend in the folder, if the site couldn't be published. */
async function publishFolder(config: Config, commit: string | null): Promise<readonly string[]> {
  const before = newest('live')
  const { data, findings, held } = readSite(config.siteFolder, knownReviewed(config.reviewedTexts, before))
  if (config.siteFolder !== newest('good')) status = { ...status, held }
  if (data === null) return findings.filter(({ level }) => level === 'error').map(formatFinding)
  const of = hashOf(config, data)
  if (readManifest(live)?.publication?.of === of) return []
  const last = existsSync(live) ? basename(realpathSync(live)) : null
  const folder = mkdtempSync(join(own, 'new-'))
  try {
    const at = new Date().toISOString()
    const output: Output = {
      built: folder,
      dist: null,
      before,
      compression,
      publication: { at, of, commit, isFromFolder: config.siteFolder !== null },
    }
    await publish(config, output, data)
    const name = `${at.replaceAll(/\W/g, '').slice(0, 18)}-${of.slice(0, 8)}`
    // The server and nginx read it as other users.
    chmodSync(folder, 0o755)
    // Otherwise, a power cut could leave empty files behind the link.
    spawnSync('sync', ['-f', folder])
    renameSync(folder, join(own, name))
    const changed = changedTexts(before && realpathSync(before), join(own, name))
    link(name, live)
    status = { ...status, history: [{ at, commit, changed }, ...status.history].slice(0, MOST_HISTORY) }
    console.log(`Published ${name}.`)
  } catch (error) {
    if (error instanceof PictureError) return error.problems
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  // Someone may still be reading the last one.
  const kept = [last, basename(realpathSync(live))]
  for (const old of globSync('2*-*', { cwd: own })) if (!kept.includes(old)) rmSync(join(own, old), { recursive: true })
  return []
}

/** A copy of the folder that's live, for releases that can't read what it has become. Someone may edit it while it's copied. */
function keepGood(config: Config): void {
  const { siteFolder } = config
  const published = readManifest(live)
  const good = join(own, 'good')
  const name = `good-${published?.publication?.of.slice(0, 12)}`
  if (siteFolder === null || (existsSync(good) && readlinkSync(good) === name)) return
  const copy = mkdtempSync(join(own, 'good-new-'))
  cpSync(realpathSync(siteFolder), copy, { recursive: true, filter: path => basename(path) !== '.git' })
  const { data } = readSite(copy, knownReviewed(config.reviewedTexts, live))
  const of = data && hashOf({ ...config, siteFolder: copy }, data)
  if (of !== published?.publication?.of) return
  chmodSync(copy, 0o755)
  rmSync(join(own, name), { recursive: true, force: true })
  renameSync(copy, join(own, name))
  link(name, good)
  for (const old of globSync('good-*', { cwd: own })) if (old !== name) rmSync(join(own, old), { recursive: true })
}

function link(name: string, path: string): void {
  symlinkSync(name, join(own, 'new-link'))
  renameSync(join(own, 'new-link'), path)
}

/** What went live is known from the release before this one, too. */
function lastStatus(): PublishingStatus {
  const none = { triedAt: startedAt, errors: [], held: [], history: [] }
  const other = newest('live')
  for (const release of [own, ...(other === null ? [] : [dirname(other)])]) {
    try {
      const found = JSON.parse(readFileSync(join(release, STATUS_FILE), 'utf8'))
      return release === own ? { ...none, ...found } : { ...none, history: found.history ?? [] }
    } catch {
      // There is none yet.
    }
  }
  return none
}

/** For the desk and the server's alerts. An edit since the start may not be in it. */
function tell(errors: readonly string[], isUnfinished = false): void {
  const { held, history } = status
  status = { triedAt: startedAt, errors, held, history, ...(isUnfinished && { isUnfinished }) }
  writeFileSync(join(own, `new-${STATUS_FILE}`), JSON.stringify(status))
  renameSync(join(own, `new-${STATUS_FILE}`), join(own, STATUS_FILE))
}

/** What a site is made of. What was live before is different on each server. */
function hashOf(config: Config, { reviewed: _, ...data }: SiteData): string {
  const hash = createHash('sha256').update(readFileSync(join(COMPILED, 'fingerprint')))
  hash.update(JSON.stringify([bakedSettings(config), config.siteFolder !== null, data]))
  for (const folder of pictureFolders(config.siteFolder)) {
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

/** The site that visitors have seen last, or the folder that it was made of, whichever release made it. */
function newest(which: 'live' | 'good'): string | null {
  const releases = globSync('*/live', { cwd: dirname(own) }).map(site => join(dirname(own), dirname(site)))
  const publishedAt = (release: string) =>
    statSync(join(release, 'live', MANIFEST_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const release = releases
    .filter(each => existsSync(join(each, which)))
    .sort((a, b) => publishedAt(a) - publishedAt(b))
    .at(-1)
  return release === undefined ? null : join(release, which)
}

/** Someone has to mend the folder. */
function refuse(errors: readonly string[]): void {
  process.exitCode = 3
  tell(errors)
  console.error(forTerminal(errors.join('\n')))
}

try {
  await main()
} catch (error) {
  process.exitCode = 2
  console.error(error instanceof ConfigError ? error.message : error)
  const why = (error as Error).message
  tell([
    error instanceof ConfigError
      ? why
      : `Publishing failed: ${why}. If it goes on, run this on the server: journalctl -u ssdi-advocate-publish`,
  ])
}
