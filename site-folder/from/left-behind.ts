/** What was changed in a checkout and can't be in a folder: code, layout, and texts that only a condition brings up. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of 0.7.0: a hash of each file or, of those that hold texts and colors, of each line. */
const hashes: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '0.7.0.json'), 'utf8'),
)

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

const textOf = (path: string) => readFileSync(path, 'latin1').replaceAll('\r\n', '\n')

export const isUnchanged = (checkout: string, file: string): boolean =>
  hashes[file] === (existsSync(join(checkout, file)) ? hash(textOf(join(checkout, file))) : '')

const CARRIED_WHOLE = /^content\/(?:pictures|\w\w\/legal)\//
const ignored = (file: string) => /\.test\.tsx?$|\.md$|(?:^|\/)[.~]|~$/.test(file)

/** One line for each file, or for each line in it. */
export function leftBehind(checkout: string, carried: readonly unknown[]): readonly string[] {
  const folders = [...new Set(Object.keys(hashes).map(file => file.split('/')[0] ?? ''))]
  const files = folders.flatMap(folder => globSync([folder, `${folder}/**`], { cwd: checkout, withFileTypes: true }))
  const names = files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name))
  const here = names
    .map(name => name.slice(join(checkout, '/').length).replaceAll('\\', '/'))
    .filter(file => !ignored(file))
  const said = carried.join('\n')
  const found = here.sort().flatMap(file => {
    const before = hashes[file]
    if (CARRIED_WHOLE.test(file)) return []
    if (!before?.includes(' '))
      return before === hash(textOf(join(checkout, file))) ? [] : [`${file}: ${before ? 'changed' : 'new'} code`]
    const lines = new Set(before.split(' '))
    const text = readFileSync(join(checkout, file), 'utf8').replaceAll('\r\n', '\n')
    return text.split('\n').flatMap((line, index) => {
      if (lines.has(hash(line.trim())) || isCarried(line, file, said)) return []
      return [`${file}, line ${index + 1}: ${line.trim()}`]
    })
  })
  const missing = Object.keys(hashes).filter(file => !CARRIED_WHOLE.test(file) && !existsSync(join(checkout, file)))
  return [...found, ...missing.map(file => `${file}: deleted`)]
}

const STRING = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
/** The first or last line of a text that spans several. */
const OPEN = /`([^`]*)\$\{$|^[^`]*\}([^`]*)`/
/** What runs can't be carried, but a fact without quotes can. */
const CODE = /=>|[?&|+(]|\b(?:function|return|if|let)\b/
/** What it says is only right today, or in one case. */
const COMPUTES = /\w\(|\S \? |\bnew\b/
const START = /^export const \w+(?:: [^=]+)? = (?:[[{(]?|\[\]|null)$/

function isCarried(line: string, file: string, said: string): boolean {
  if (file.endsWith('.css')) return /^\s*--color-[a-z-]+:\s*#[0-9a-f]{6};\s*$/i.test(line)
  if (/^\s*(?:\/\/|\/?\*|import\b|export\b.*\bfrom\b)/.test(line) || START.test(line)) return true
  const whole = [...line.matchAll(STRING)].map(([, single, double, template]) => single ?? double ?? template ?? '')
  const rest = line.replaceAll(STRING, '')
  const [, start, end] = OPEN.exec(rest) ?? []
  const inside = whole.flatMap(text => Array.from(text.matchAll(/'([^']*)'/g), ([, quoted = '']) => quoted))
  const literals = [...whole, ...inside, ...[start, end].filter(text => text !== undefined)]
  if (literals.length === 0) return !CODE.test(line) && !/\p{L}{2,} \p{L}{2,} \p{L}{2,}/u.test(line)
  const expressions = [rest, ...whole.flatMap(text => text.match(/\$\{[^}]*\}/g) ?? [])]
  if (expressions.some(code => COMPUTES.test(code) && !/^\$\{\w+\(\)\}$/.test(code))) return false
  const parts = literals.flatMap(text => text.replaceAll(/\\(.)/g, '$1').split(/\$\{[^}]*\}/))
  return parts.every(part => !/[\p{L}\d]/u.test(part) || said.includes(part.trim().replace(/^\//, '')))
}
