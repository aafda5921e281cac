/** Which texts visitors read differently in another site, for Setup. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SiteText, TEXTS_FILE } from '../server/http/site-manifest.ts'

export function changedTexts(before: string | null, after: string): readonly string[] {
  const [old, now] = [textsIn(before), textsIn(after)]
  const names = new Set([...old.keys(), ...now.keys()])
  return old.size === 0 ? [] : [...names].filter(name => old.get(name) !== now.get(name))
}

function textsIn(site: string | null): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>()
  for (const { file, section, name, original, own, shown } of site === null ? [] : readTexts(site)) {
    const key = `${file} ${section}${section && '.'}${name}`.trim()
    // A consent has several.
    found.set(key, `${found.get(key) ?? ''}${shown ?? own ?? original ?? ''}`)
  }
  return found
}

function readTexts(site: string): readonly SiteText[] {
  try {
    return JSON.parse(readFileSync(join(site, TEXTS_FILE), 'utf8'))
  } catch {
    return []
  }
}
