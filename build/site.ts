/** The site build: compiles the program if it has changed, and publishes it with the words of content/. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineAfter } from '../launch/locations.ts'
import { bakedSettings, type Output, publish } from '../publish/site.ts'
import { type Config, ConfigError, loadConfig } from '../server/settings/config.ts'
import type { ContentError } from '../site/rules/content-rules.ts'
import type { MarkdownError } from '../site/static/markdown.tsx'
import { BUILT, type Build, build, isStale, root } from './build.ts'
import { compilation } from './compile.ts'
import { firstTypeError, reportTypeErrors } from './types.ts'

export const defaultOutput: Output = {
  built: BUILT,
  dist: null,
  before: null,
  compression: 'maximum',
  publication: null,
}
export const DIST = join(root, 'dist')

/** For build programs: errors in the settings don't need a stack trace. */
export function loadConfigOrExit(): Config {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** `make` throws a SourceError if content or code has errors. */
export function siteBuild(config: Config, output = defaultOutput, { checkTypes = false } = {}): Build {
  const { built, dist } = output
  return {
    sources: ['content/**', 'domain/**', 'site/**', 'build/**', 'launch/**', 'publish/**'],
    settings: bakedSettings(config),
    folders: [built, ...(dist === null ? [] : [dist])],
    async make([siteDir = '', staticDir = null]) {
      if (checkTypes) await rejectTypeErrors()
      const compiling = compilation()
      try {
        if (isStale(compiling)) await build(compiling)
        await publish(config, { ...output, built: siteDir, dist: staticDir })
      } catch (error) {
        throw withLocation(error)
      }
    },
  }
}

/** Something the operator can fix: the message says what and where, so there is no stack trace. */
export class SourceError extends Error {
  override readonly stack = ''
}

async function rejectTypeErrors(): Promise<void> {
  const report = await reportTypeErrors('site')
  const first = firstTypeError(report)
  if (first === null) return
  console.error(report)
  throw new SourceError(first)
}

/** Adds file and line to an error in content/. The renderer is bundled, so `instanceof` doesn't work. */
export function withLocation(error: unknown): unknown {
  const { loc } = error as MarkdownError
  if (loc) return new SourceError(`${loc.file}, line ${loc.line}: ${(error as Error).message}`)
  const { location, message } = error as ContentError
  if (!location) return error
  const lines = readFileSync(join(root, location.file), 'utf8').split('\n')
  return new SourceError(`${location.file}, line ${lineAfter(lines, location.after) ?? 1}: ${message}`)
}
