/** The site build: compiles the program if it has changed, and publishes it with the site's texts. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { ReviewedText } from '../domain/text/text-blocks.ts'
import { knownReviewed } from '../publish/carry-over.ts'
import { bakedSettings, type Output, publish } from '../publish/site.ts'
import { type Config, ConfigError, loadConfig } from '../server/settings/config.ts'
import { ORIGINALS } from '../site-folder/files.ts'
import { formatFinding } from '../site-folder/findings.ts'
import { readSite } from '../site-folder/read-site.ts'
import { BUILT, type Build, build, fingerprintOf, isStale, root } from './build.ts'
import { compilation } from './compile.ts'

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

/** Something the operator can fix: the message says what and where, so there is no stack trace. */
export class SourceError extends Error {
  override readonly stack = ''
}

/** The site's data and the files that it came from. Throws a SourceError with all errors. */
export function siteOf(
  { siteFolder }: Pick<Config, 'siteFolder'>,
  lastReviewed: readonly ReviewedText[] | null = null,
) {
  const { data, findings } = readSite(siteFolder, lastReviewed)
  if (data === null) {
    const errors = findings.filter(({ level }) => level === 'error')
    throw new SourceError(errors.map(formatFinding).join('\n'))
  }
  return { data, findings, files: siteFiles(siteFolder) }
}

const siteFiles = (folder: string | null) =>
  [ORIGINALS, folder].flatMap(base =>
    base === null ? [] : globSync('**/*.{toml,md}', { cwd: base }).map(file => join(base, file)),
  )

/** `make` throws a SourceError if the site's texts have errors. */
export function siteBuild(config: Config, output = defaultOutput): Build {
  const { built, dist } = output
  return {
    sources: ['content/**', 'domain/**', 'site/**', 'site-folder/**', 'build/**', 'launch/**', 'publish/**'],
    settings: { ...bakedSettings(config), folder: fingerprintOfFolder(config.siteFolder) },
    folders: [built, ...(dist === null ? [] : [dist])],
    async make([siteDir = '', staticDir = null]) {
      const { data } = siteOf(config, knownReviewed(config.reviewedTexts, built))
      const compiling = compilation()
      if (isStale(compiling)) await build(compiling)
      await publish(config, { ...output, built: siteDir, dist: staticDir }, data)
    },
  }
}

/** A change to the organization's folder makes a build stale. */
const fingerprintOfFolder = (folder: string | null): string | null =>
  folder === null ? null : fingerprintOf(folder, ['**'], null).hash
