/** Finds where to make a change, as a `file:line` that editors can open. */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ChangeAt } from '../domain/launch/findings.ts'
import { ORIGINALS } from '../site-folder/files.ts'
import type { Place, Places } from '../site-folder/findings.ts'

interface LocatorOptions {
  readonly root: string
  /** The organization's folder, if there is one. */
  readonly folder: string | null
  readonly places: Places
  /** The settings file that was read, if any. */
  readonly settingsFile: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The section to add: `accepted.figure_expired:feeCap` has a colon, so it's in quotes. */
function reviewOf(name: string): string {
  const [, kind = '', what = ''] = /^(\w+)\.(.*)$/.exec(name) ?? []
  const section = `[${kind}.${/^[\w-]+$/.test(what) ? what : JSON.stringify(what)}]`
  return `${section} by = …, on = …${kind === 'accepted' ? ', why = …' : ''}`
}

const formatPlace = ({ file, line }: Place) => `${file}${line === null ? '' : `:${line}`}`

export function createLocator(options: LocatorOptions): (change: ChangeAt) => string {
  const { root, folder, places, settingsFile, environment } = options

  /** What isn't in the organization's folder is to be added to it: an upgrade replaces content/. */
  function inFolder(key: string): string {
    const [file = '', name = ''] = key.split(' ')
    // A whole file, such as the consent, has no place of its own.
    if (name === '') return folder === null ? `content/${file}` : file
    const place = places[key]
    if (place && (folder === null || !place.file.startsWith('content/'))) return formatPlace(place)
    if (file === 'reviews.toml' && !place) return `${folder === null ? 'content/' : ''}${file} (add ${reviewOf(name)})`
    const names = name.split('.')
    const section = names.slice(0, -1).join('.')
    const missing = place ? 'change' : 'add'
    const inContent = places[`${file} ${section}`] ?? { file: `content/${file}`, line: null }
    const at = folder === null ? formatPlace(inContent) : file
    return `${at} (${missing} ${section === '' ? '' : `[${section}] `}${names.at(-1)} = …)`
  }

  function search(text: string): string {
    for (const [base, prefix] of folder === null
      ? [[ORIGINALS, 'content/'] as const]
      : [[folder, ''] as const, [ORIGINALS, 'content/'] as const]) {
      for (const file of globSync('**/*.{toml,md}', { cwd: base }).toSorted()) {
        const line =
          readFileSync(join(base, file), 'utf8')
            .split('\n')
            .findIndex(each => each.includes(text)) + 1
        if (line > 0) return `${prefix}${file}:${line}`
      }
    }
    return folder === null ? 'content/' : folder
  }

  return change => {
    if ('key' in change) return inFolder(change.key)
    if ('search' in change) return search(change.search)
    if ('file' in change) return formatPlace(change)
    const { setting } = change
    if (environment[setting]?.trim()) return `environment variable ${setting}`
    const file = relative(root, settingsFile ?? join(root, '.env'))
    const lines = settingsFile === null ? [] : readFileSync(settingsFile, 'utf8').split('\n')
    const line = lines.findIndex(each => new RegExp(`^\\s*(?:export\\s+)?${setting}\\s*=`).test(each))
    return line < 0 ? `${file} (add ${setting}=…)` : `${file}:${line + 1}`
  }
}
