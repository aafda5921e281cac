/** Reads the built site as it lies on the disk. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { type BuiltPage, parsePage } from './page.ts'

export interface BuiltSiteFiles {
  readonly fingerprint: string
  readonly pages: readonly BuiltPage[]
  readonly otherPaths: readonly string[]
}

/** Null when there is none. */
export function readBuiltSite(folder: string): BuiltSiteFiles | null {
  const manifest = readManifest(folder)
  if (manifest === null) return null
  const isPage = ({ file }: { readonly file: string }) => file.endsWith('.html')
  return {
    fingerprint: manifest.fingerprint,
    pages: manifest.files
      .filter(isPage)
      .map(({ path, file }) => parsePage(readFileSync(join(folder, file), 'utf8'), path, file)),
    otherPaths: manifest.files.filter(file => !isPage(file)).flatMap(({ path }) => path ?? []),
  }
}

function readManifest(folder: string): SiteManifest | null {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'))
  } catch {
    return null
  }
}
