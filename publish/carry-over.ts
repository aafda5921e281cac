/**
 * What a published site takes over from the one before it. Pages that are open import their scripts and pictures by hash, and ads
 * and forms lead to pages that are gone.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DAY } from '../domain/durations.ts'
import type { ReviewedText } from '../domain/text/text-blocks.ts'
import { extensions, MANIFEST_FILE, type SiteFile, type SiteManifest } from '../server/http/site-manifest.ts'

/** How long a file is served after the last site that used it. */
const KEPT_MS = DAY

/** Copies files from the site in `before`, if there is one, and returns the manifest that lists them. */
export function carryOver(next: SiteManifest, folder: string, before: string | null, now = Date.now()): SiteManifest {
  const last = readManifest(before)
  if (before === null || last === null) return next
  const paths = new Set(next.files.map(({ path }) => path))
  const gone = last.files.filter(({ path }) => path !== null && !paths.has(path))
  const kept = gone
    .filter(({ immutable }) => immutable)
    .map((file): SiteFile => ({ ...file, until: file.until ?? now + KEPT_MS }))
    .filter(({ until = 0 }) => until > now)
  for (const file of kept) copy(file, before, folder)
  const pages = gone.flatMap(({ path, type }) => (path !== null && type.startsWith('text/html') ? [path] : []))
  const formerPaths = [...new Set([...last.formerPaths, ...pages])].filter(path => !paths.has(path))
  return { ...next, formerPaths, files: [...next.files, ...kept] }
}

/** Null if there is none that this version can read. */
export function readManifest(folder: string | null): SiteManifest | null {
  if (folder === null) return null
  try {
    const manifest: SiteManifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'))
    return manifest.formerPaths ? manifest : null
  } catch {
    return null
  }
}

/** What was reviewed, later ones last: from the store, if the server could write that down, and from the site in `before`. */
export function knownReviewed(reviewedTexts: string, before: string | null): readonly ReviewedText[] {
  return [...readReviewed(reviewedTexts), ...(readManifest(before)?.reviewed ?? [])]
}

function readReviewed(file: string): readonly ReviewedText[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

function copy({ file, encodings }: SiteFile, from: string, to: string): void {
  mkdirSync(dirname(join(to, file)), { recursive: true })
  for (const end of ['', ...encodings.map(encoding => extensions[encoding])]) {
    copyFileSync(join(from, file + end), join(to, file + end))
  }
}
