/** The site build, and its Vite options, which `npm run dev` shares. */
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { createBuilder, type InlineConfig } from 'vite'
import { type Config, ConfigError, loadConfig } from '../server/config.ts'
import { BUILT, type Build, root } from './build.ts'
import { inlineScript, legalTexts, plainWords, savedAsUtf8 } from './plugins.ts'
import { findTypeErrors, SiteBuildError, toSourceError } from './source-errors.ts'
import { bakedSettings, type OutputDirs, staticPages } from './static-pages.ts'

export const outputDirs: OutputDirs = { built: BUILT, dist: join(root, 'dist') }

/** The oldest browsers that the site supports; also listed in README.md. */
const BROWSERS = ['safari16.4', 'ios16.4', 'chrome111', 'edge111', 'firefox128']

/** For programs that build: errors in the settings need no stack trace. */
export function loadConfigOrExit(): Config {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

export function siteOptions(config: Config, output: OutputDirs): InlineConfig {
  return {
    root,
    configFile: false,
    // Otherwise Vite would read .env too, and parse it differently.
    envDir: false,
    cacheDir: join(root, '.cache/vite'),
    plugins: [
      react(),
      tailwindcss(),
      inlineScript(),
      savedAsUtf8(),
      legalTexts(),
      plainWords(),
      staticPages(config, output),
    ],
    build: { target: BROWSERS },
  }
}

/** `make` throws SiteBuildError if content or code has errors. */
export function siteBuild(config: Config, { built, dist } = outputDirs, { checkTypes = false } = {}): Build {
  return {
    sources: ['content/**', 'domain/**', 'site/**', 'build/**', 'launch/**'],
    settings: bakedSettings(config),
    folders: [built, dist],
    async make([siteDir = '', staticDir = ''], rejectUnlistedSources) {
      try {
        const errors = checkTypes ? await findTypeErrors(root) : []
        if (errors.length > 0) throw new SiteBuildError(errors, root)
        const options = siteOptions(config, { built: siteDir, dist: staticDir })
        const plugins = [...(options.plugins ?? []), rejectUnlistedSources]
        const builder = await createBuilder({ ...options, plugins, logLevel: 'silent' })
        await builder.buildApp()
      } catch (error) {
        const sourceError = error instanceof SiteBuildError ? null : toSourceError(error, root)
        throw sourceError === null ? error : new SiteBuildError([sourceError], root)
      }
    },
  }
}
