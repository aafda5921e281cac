/**
 * Reads the settings file: `NAME=value` a line, comments after a #, quotes where a value needs them. Node's own reader
 * drops a line that it does not understand and cuts a secret off at its first #, both without a word.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface SettingsFile {
  readonly path: string
  readonly values: Readonly<Record<string, string>>
  /** In plain words, without the values: they may be secrets. */
  readonly faults: readonly string[]
}

/** Null where there is none and none was asked for. */
export function readSettingsFile(name: string, mustExist: boolean): SettingsFile | null {
  const path = resolve(name)
  try {
    return parseSettings(path, readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT' && !mustExist) return null
    const problem = code === 'ENOENT' ? 'does not exist: SETTINGS_FILE names it' : `cannot be read (${code})`
    return { path, values: {}, faults: [`The settings file ${path} ${problem}.`] }
  }
}

const SETTING = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/

function parseSettings(path: string, text: string): SettingsFile {
  const seen = new Map<string, number>()
  const values: Record<string, string> = Object.create(null)
  const faults: string[] = []
  const lines = text.replace(/^\ufeff/, '').split('\n')
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const place = `Line ${index + 1} of ${path}`
    const [, name = '', rest = ''] = SETTING.exec(line) ?? []
    const value = readValue(rest)
    const earlier = seen.get(name)
    if (name === '' || value === null) faults.push(`${place} is not of the form NAME=value.`)
    else if (earlier !== undefined) faults.push(`${place} sets ${name} again, after line ${earlier}. Keep one of them.`)
    else if (isForEnvironmentOnly(name)) {
      faults.push(`${place} sets ${name}, which is read before this file. Set it in the environment instead.`)
    } else {
      seen.set(name, index + 1)
      values[name] = value
    }
  }
  return { path, values, faults }
}

/** What follows a # with a space before it is a comment. Null for quotes that do not end. */
function readValue(rest: string): string | null {
  const quoted = /^\s*(["'])(.*?)\1\s*(?:#.*)?$/.exec(rest)
  if (quoted) return quoted[2] ?? ''
  return /^\s*["']/.test(rest) ? null : rest.replace(/\s#.*$/, '').trim()
}

/** By Node itself (NODE_EXTRA_CA_CERTS), or to find this very file. */
function isForEnvironmentOnly(name: string): boolean {
  return name.startsWith('NODE_') || name === 'SETTINGS_FILE'
}
