/**
 * Reads the settings file: one `NAME=value` per line, comments after #, optional quotes. Node's own parser silently drops lines
 * it doesn't understand and truncates a secret at the first #.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isOneTypoAway } from '../../domain/text/typos.ts'

export interface SettingsFile {
  readonly path: string
  readonly values: Readonly<Record<string, string>>
  /** Never quotes values, which may be secrets. */
  readonly problems: readonly string[]
}

/** Null if the file doesn't exist and doesn't have to. */
export function readSettingsFile(name: string, mustExist: boolean): SettingsFile | null {
  const path = resolve(name)
  try {
    return parseSettings(path, readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT' && !mustExist) return null
    const problem = code === 'ENOENT' ? 'doesn’t exist. Check SETTINGS_FILE' : `can’t be read (${code})`
    return { path, values: {}, problems: [`The settings file ${path} ${problem}.`] }
  }
}

const SETTING = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/

function parseSettings(path: string, text: string): SettingsFile {
  const seen = new Map<string, number>()
  const values: Record<string, string> = Object.create(null)
  const problems: string[] = []
  const lines = text.replace(/^\ufeff/, '').split('\n')
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const location = `Line ${index + 1} of ${path}`
    const [, name = '', rest = ''] = SETTING.exec(line) ?? []
    const value = readValue(rest)
    const earlier = seen.get(name)
    if (name === '' || value === null) problems.push(`${location} doesn’t look like NAME=value.`)
    else if (earlier !== undefined)
      problems.push(`${location} sets ${name} again, after line ${earlier}. Keep one of them.`)
    // Read by Node itself (NODE_EXTRA_CA_CERTS), or needed to find this file.
    else if (name.startsWith('NODE_') || name === 'SETTINGS_FILE') {
      problems.push(`${location} sets ${name}, which is read before this file. Set it in the environment instead.`)
    } else {
      seen.set(name, index + 1)
      values[name] = value
    }
  }
  return { path, values, problems }
}

/** A line that reads as this value. */
export function assignment(name: string, value: string): string {
  const isPlain = /^[^\s"'#]*$/.test(value)
  const quote = value.includes('"') ? "'" : '"'
  return `${name}=${isPlain ? value : `${quote}${value}${quote}`}`
}

/** A # after a space starts a comment. Returns null for an unclosed quote. */
function readValue(rest: string): string | null {
  const quoted = /^\s*(["'])(.*?)\1\s*(?:#.*)?$/.exec(rest)
  if (quoted) return quoted[2] ?? ''
  return /^\s*["']/.test(rest) ? null : rest.replace(/\s#.*$/, '').trim()
}

/**
 * A misspelled setting would be silently ignored, and leads would go nowhere. The environment is full of other programs'
 * variables, so there we look only for near matches to distinctive names.
 */
export function misspelled(
  env: Readonly<Record<string, string | undefined>>,
  file: SettingsFile | null,
  known: readonly string[],
): readonly string[] {
  const ours = [...known.filter(name => /^(LEAD|SITE|TRUST|ALERT|DESK)/.test(name)), 'SETTINGS_FILE']
  const inEnvironment = Object.keys(env)
    .filter(name => !known.includes(name) && name !== 'SETTINGS_FILE')
    .map(name => [name, ours.find(each => isOneTypoAway(name, each)), 'the environment'] as const)
  const inFile = Object.keys(file?.values ?? {})
    .filter(name => !known.includes(name))
    .map(name => [name, nearest(name.toUpperCase(), known), file?.path] as const)
  return [...inEnvironment, ...inFile]
    .filter(([, meant]) => meant)
    .map(([name, meant, location]) => `${name} in ${location} is not a setting. Did you mean ${meant}?`)
}

/** For “Did you mean …?” */
export function nearest(typed: string, known: readonly string[]): string | null {
  return known.find(name => name.startsWith(typed) || isOneTypoAway(typed, name)) ?? null
}
