/** Builds the site or the desk in a new folder, then moves it into place. A source fingerprint detects stale builds. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

export const root = join(import.meta.dirname, '..')
/** The site as the server serves it. */
export const BUILT = join(root, 'built')

export interface Build {
  /** Globs for source files. Includes what they import; package-lock.json covers packages. */
  readonly sources: readonly string[]
  /** The settings baked into the output. */
  readonly settings: unknown
  /** Output folders. The fingerprint is written to the first one. */
  readonly folders: readonly string[]
  /** Every Vite build in here must use `rejectUnlistedSources`. */
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
  // Inside the project, so pages can import React while they render.
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/build-'))
  try {
    // Computed first, so an edit during the build makes it stale.
    const { hash, files } = fingerprintOf(root, sources, settings)
    const made = folders.map((_, index) => join(folder, `made-${index}`))
    await make(made, rejectUnlistedSources(files))
    writeFileSync(join(made[0] ?? folder, FINGERPRINT), hash)
    for (const [index, target] of folders.entries()) {
      if (existsSync(target)) renameSync(target, join(folder, `before-${index}`))
      renameSync(made[index] ?? '', target)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fails the build if it bundles one of our files that isn't in the fingerprint: edits to it would go unnoticed. */
function rejectUnlistedSources(files: ReadonlySet<string>): Plugin {
  return {
    name: 'reject-unlisted-sources',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const file = relative(root, id.replace(/\?.*$/, ''))
        const isOurs = !/^(\.\.|\0|node_modules|\.cache)/.test(file) && existsSync(join(root, file))
        if (isOurs && !files.has(file)) throw new Error(`${file} is bundled but missing from \`sources\`.`)
      }
    },
  }
}

/** Relative imports, including `import()` and CSS. Not `import type`: types don't affect a build. */
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
