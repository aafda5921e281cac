/** Errors in edited files, reported for people: file, line, and what was expected; no stack trace. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join, relative } from 'node:path'
import { lineAfter } from '../launch/places.ts'
import type { FaultPlace } from '../site/rules/content-rules.ts'

export interface SourceError {
  /** Relative to the project folder. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Thrown by a build that found errors in the sources. Its message can be shown as is. */
export class SiteBuildError extends Error {
  constructor(errors: readonly SourceError[], root: string) {
    super(errors.map(each => formatSourceError(each, root)).join('\n\n'))
    this.name = 'SiteBuildError'
  }
}

/** What the public pages are built from. An error elsewhere, such as in a test, must not block a text change. */
const PARTS_OF_THE_SITE = /^(content|domain|site|build|server)\/(?!.*\.test\.tsx?$)/

const MOST_REPORTED = 5

export async function findTypeErrors(root: string, { lowPriority = false } = {}): Promise<readonly SourceError[]> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--pretty', 'false', '--incremental', '--tsBuildInfoFile', join(root, '.cache/types.tsbuildinfo')]
  const report = await new Promise<string>((resolve, reject) => {
    const compile = execFile(
      process.execPath,
      [compiler, ...options],
      { cwd: root, maxBuffer: 16e6 },
      (error, stdout) => {
        // The compiler exits with 1 or 2 if it found errors, and lists them on standard output.
        if (error && stdout === '') reject(error)
        else resolve(stdout)
      },
    )
    if (lowPriority && compile.pid !== undefined) setPriority(compile.pid, constants.priority.PRIORITY_LOW)
  })
  return parseTypeErrors(report, root)
}

/** Parses the compiler's report; errors outside the site are left out. */
export function parseTypeErrors(report: string, root: string): readonly SourceError[] {
  const found: SourceError[] = []
  for (const text of report.split(/\n(?! )/)) {
    const match = /^(.+?)\((\d+),(\d+)\): error TS\d+: (.*)$/s.exec(text.trimEnd())
    if (!match) continue
    const [, file = '', line, column, message = ''] = match
    if (!PARTS_OF_THE_SITE.test(file)) continue
    // The compiler reports from the outside in; the innermost line says what is wrong.
    const innermost = message.split('\n').at(-1)?.trim() ?? message
    const place = { file, line: Number(line), column: Number(column) }
    const sourceError = { ...(placeInContent(innermost, root) ?? place), message: inPlainWords(innermost, place, root) }
    // After the first error in a line, the compiler misreads the rest of it.
    if (!found.some(each => each.file === sourceError.file && each.line === sourceError.line)) found.push(sourceError)
  }
  return found.slice(0, MOST_REPORTED)
}

/** For errors with a location, from the bundler or the content rules. Null for any other. */
export function toSourceError(error: unknown, root: string): SourceError | null {
  const fault = (error as { errors?: unknown[] }).errors?.[0] ?? error
  const { id, loc, place, message } = fault as {
    id?: string
    loc?: { file?: string; line: number; column: number }
    place?: FaultPlace
    message?: string
  }
  if (place) return { ...whereIn(place, root), message: message ?? '' }
  const file = loc?.file ?? id
  if (!loc || file === undefined) return null
  const said = withoutColors(message ?? '').replace(/^\s*\[[^\]]*\]\s*/, '')
  const expected = /╰─+ (.* expected.*)/.exec(said)?.[1]
  return { file: relative(root, file), line: loc.line, column: loc.column + 1, message: expected ?? firstLine(said) }
}

function whereIn({ file, after }: FaultPlace, root: string): Omit<SourceError, 'message'> {
  const lines = linesOf(root, file)
  const line = lineAfter(lines, after) ?? 1
  return { file, line, column: (lines[line - 1] ?? '').search(/\S|$/) + 1 }
}

export function formatSourceError({ file, line, column, message }: SourceError, root: string): string {
  const shown = linesOf(root, file)[line - 1]
  if (shown === undefined) return `${file}, line ${line}: ${message}`
  // Long lines are cut around the column, so that the mark stays under it in a narrow window.
  const start = Math.max(0, column - 41)
  const gutter = `  ${line} | `
  const mark = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(column - 1 - start)}^`
  return `${file}, line ${line}: ${message}\n${gutter}${shown.slice(start, start + 90)}\n${mark}`
}

function linesOf(root: string, file: string): readonly string[] {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}

/**
 * The compiler reports a missing or misnamed key where a page uses it. It quotes the object that lacks the key; we find that
 * object in content/ by its other keys.
 */
function placeInContent(message: string, root: string): Omit<SourceError, 'message'> | null {
  const quoted = /in type '\{ (.*?)' but/.exec(message)?.[1]
  if (quoted === undefined) return null
  const names = [...quoted.matchAll(/(?:^|; )(?:readonly )?(\w+): /g)].map(([, name]) => name)
  const [first, second] = names
  if (first === undefined) return null
  for (const file of globSync('content/**/*.ts', { cwd: root })) {
    const lines = linesOf(root, file)
    for (const [index, line] of lines.entries()) {
      if (!new RegExp(`\\b${first}:`).test(line)) continue
      const near = lines.slice(index, index + 30).join('\n')
      if (second === undefined || new RegExp(`\\b${second}\\b`).test(near)) {
        return { file, line: index + 1, column: line.search(/\S/) + 1 }
      }
    }
  }
  return null
}

/** Explains the two most common errors: a missing comma, and an apostrophe. */
function inPlainWords(message: string, { file, line, column }: Omit<SourceError, 'message'>, root: string): string {
  if (message !== "',' expected.") return withoutTypes(message)
  const before = linesOf(root, file)[line - 1]?.slice(0, column - 1) ?? ''
  if (before.trim() === '') return "',' expected at the end of the line before."
  return /\w'$/.test(before) ? `${message} Put a text with an apostrophe in it in double quotation marks.` : message
}

/** "Property 'heading' is missing in type '{ … }' but required in type 'Words'." says enough at the first half. */
function withoutTypes(message: string): string {
  return message.replace(/ in type '\{ .*' but required in type .*$/, '.').replace(/^Property /, '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the control characters of colors
const withoutColors = (text: string) => text.replaceAll(/\u001b\[[\d;]*m/g, '')
const firstLine = (text: string) => text.split('\n')[0] ?? text
