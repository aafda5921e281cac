/** One hash over everything a build is made from, so that a stale build is never served and nothing is built twice. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../server/config.ts'

const SITE_SOURCES = ['content/**', 'domain/**', 'site/**', 'build/**', 'launch/**']

/** The settings that end up in the pages. Without SITE_URL, pages contain no address: they work on any port. */
export function bakedSettings({ siteUrl, publicName, hstsSubdomains, leadEndpoint, trustedForm }: Config) {
  return { siteUrl: publicName === null ? null : siteUrl, hstsSubdomains, leadEndpoint, trustedForm }
}

export function siteFingerprint(config: Config): string {
  return fingerprintOf(join(import.meta.dirname, '..'), SITE_SOURCES, bakedSettings(config))
}

/** What is bundled or run: relative imports, `import()` and CSS included. Types leave no trace in a build. */
const IMPORT = /(?<!import type .*)(?:\bfrom\s*|\bimport\s*\(?\s*|@import\s+)['"](\.{1,2}\/[^'"?]+)/g

/**
 * `sources`: globs below `root`. Project files that they import, directly or not, count as well, wherever they are;
 * packages are covered by package-lock.json.
 */
export function fingerprintOf(root: string, sources: readonly string[], settings: unknown): string {
  const files = new Map<string, Buffer>()

  function add(file: string): void {
    if (files.has(file) || /\.test\.tsx?$/.test(file) || !existsSync(join(root, file))) return
    const bytes = readFileSync(join(root, file))
    files.set(file, bytes)
    if (!/\.(tsx?|css)$/.test(file)) return
    for (const [, target = ''] of bytes.toString().matchAll(IMPORT)) add(join(dirname(file), target))
  }

  const entries = globSync([...sources, 'package-lock.json'], { cwd: root, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile()) add(join(entry.parentPath, entry.name).slice(root.length + 1))
  }
  const hash = createHash('sha256').update(JSON.stringify(settings))
  for (const file of [...files.keys()].sort()) hash.update(`\0${file}\0`).update(files.get(file) as Buffer)
  return hash.digest('hex')
}
