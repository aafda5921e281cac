/**
 * Builds the site or the desk into a new folder and moves it into place once complete. A fingerprint of all its sources
 * makes sure that a stale build is never served and nothing is built twice.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

export const root = join(import.meta.dirname, '..')
/** The site as the server serves it. */
export const BUILT = join(root, 'built')

export interface Build {
  /** Globs of its sources. Files that these import also count; packages are covered by package-lock.json. */
  readonly sources: readonly string[]
  /** The settings that end up in it. */
  readonly settings: unknown
  /** Where it goes. The first folder gets the fingerprint. */
  readonly folders: readonly string[]
  /** Every Vite build in it must use `rejectUnlistedSources`. */
  make(folders: readonly string[], rejectUnlistedSources: Plugin): Promise<void>
}

const FINGERPRINT = 'fingerprint'

export function isStale({ sources, settings, folders: [folder = ''] }: Build): boolean {
  try {
    return readFileSync(join(folder, FINGERPRINT), 'utf8') !== fingerprintOf(root, sources, settings).hash
  } catch {
    return true
  }
}

/** The previous build stays in place until the new one is complete. */
export async function build({ sources, settings, folders, make }: Build): Promise<void> {
  // Inside the project, so that pages can import React while they render.
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/build-'))
  try {
    // Before the build, so that a file edited during it makes it stale.
    const { hash, files } = fingerprintOf(root, sources, settings)
    const made = folders.map((_, index) => join(folder, `made-${index}`))
    await make(made, rejectUnlistedSources(files))
    writeFileSync(join(made[0] ?? folder, FINGERPRINT), hash)
    for (const [index, place] of folders.entries()) {
      if (existsSync(place)) renameSync(place, join(folder, `before-${index}`))
      renameSync(made[index] ?? '', place)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fails the build if it bundled a file of ours that the fingerprint misses: edits to that file would go unnoticed. */
function rejectUnlistedSources(files: ReadonlySet<string>): Plugin {
  return {
    name: 'reject-unlisted-sources',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const file = relative(root, id.replace(/\?.*$/, ''))
        const isOurs = !/^(\.\.|\0|node_modules|\.cache)/.test(file) && existsSync(join(root, file))
        if (isOurs && !files.has(file)) throw new Error(`${file} is bundled, but not part of the fingerprint.`)
      }
    },
  }
}

/** Files that are bundled or run, including relative imports, `import()`, and CSS. Types don't affect a build. */
const IMPORT = /(?<!import type .*)(?:\bfrom\s*|\bimport\s*\(?\s*|@import\s+)['"](\.{1,2}\/[^'"?]+)/g

export function fingerprintOf(folder: string, sources: readonly string[], settings: unknown) {
  const files = new Map<string, Buffer>()

  function add(file: string): void {
    if (files.has(file) || /\.test\.tsx?$/.test(file) || !existsSync(join(folder, file))) return
    const bytes = readFileSync(join(folder, file))
    files.set(file, bytes)
    if (!/\.(tsx?|css)$/.test(file)) return
    for (const [, target = ''] of bytes.toString().matchAll(IMPORT)) add(join(dirname(file), target))
  }

  for (const entry of globSync([...sources, 'package-lock.json'], { cwd: folder, withFileTypes: true })) {
    if (entry.isFile()) add(relative(folder, join(entry.parentPath, entry.name)))
  }
  const hash = createHash('sha256').update(JSON.stringify(settings))
  for (const file of [...files.keys()].sort()) hash.update(`\0${file}\0`).update(files.get(file) as Buffer)
  return { hash: hash.digest('hex'), files: new Set(files.keys()) }
}
