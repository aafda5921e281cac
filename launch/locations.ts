/** Finds where to make a change, as a `file:line` that editors can open. */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ChangeAt } from '../domain/launch/findings.ts'

interface LocatorOptions {
  readonly root: string
  /** The settings file that was read, if any. */
  readonly settingsFile: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
}

export function createLocator({ root, settingsFile, environment }: LocatorOptions): (change: ChangeAt) => string {
  const read = (file: string) => readFileSync(join(root, file), 'utf8').split('\n')
  const content = globSync('content/**/*.{ts,md}', { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .sort()
    .map(file => ({ file, lines: read(file) }))

  function inContent(after: readonly string[], only: string | undefined): string {
    for (const { file, lines } of content) {
      if (only !== undefined && file !== only) continue
      const line = lineAfter(lines, after)
      if (line !== null) return `${file}:${line}`
    }
    return only ?? 'content/'
  }

  return change => {
    if (!('setting' in change)) return inContent(change.after, change.file)
    const { setting } = change
    if (environment[setting]?.trim()) return `environment variable ${setting}`
    const file = relative(root, settingsFile ?? join(root, '.env'))
    const lines = settingsFile === null ? [] : readFileSync(settingsFile, 'utf8').split('\n')
    const line = lines.findIndex(each => new RegExp(`^\\s*(?:export\\s+)?${setting}\\s*=`).test(each))
    return line < 0 ? `${file} (add ${setting}=…)` : `${file}:${line + 1}`
  }
}

/** The line with the last string. The search for each string starts at the previous match. */
export function lineAfter(lines: readonly string[], after: readonly string[]): number | null {
  let line = 0
  for (const text of after) {
    line = lines.findIndex((each, index) => index >= line && normalizeQuotes(each).includes(normalizeQuotes(text)))
    if (line < 0) return null
  }
  return line + 1
}

const normalizeQuotes = (text: string) => text.replaceAll(/["'`‘’]/g, "'")
