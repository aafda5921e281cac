/** The site build, and its Vite options, which `npm run dev` shares. */
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { createBuilder, type InlineConfig } from 'vite'
import { type Config, ConfigError, loadConfig } from '../server/config.ts'
import { BUILT, type Build, root } from './build.ts'
import { mistakeOf, SiteMistaken, typeMistakes } from './mistakes.ts'
import { inlineScript, legalTexts, plainWords, savedAsUtf8 } from './plugins.ts'
import { bakedSettings, type Places, staticPages } from './static-pages.ts'

export const places: Places = { built: BUILT, dist: join(root, 'dist') }

/** The oldest browsers that the site supports, as README.md says. */
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

export function siteOptions(config: Config, to: Places): InlineConfig {
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
      staticPages(config, to),
    ],
    build: { target: BROWSERS },
  }
}

/** `make` throws SiteMistaken if content or code has errors. */
export function siteBuild(config: Config, { built, dist } = places, { checkTypes = false } = {}): Build {
  return {
    sources: ['content/**', 'domain/**', 'site/**', 'build/**', 'launch/**'],
    settings: bakedSettings(config),
    folders: [built, dist],
    async make([siteDir = '', staticDir = ''], rejectUnlistedSources) {
      try {
        const mistakes = checkTypes ? await typeMistakes(root) : []
        if (mistakes.length > 0) throw new SiteMistaken(mistakes, root)
        const options = siteOptions(config, { built: siteDir, dist: staticDir })
        const plugins = [...(options.plugins ?? []), rejectUnlistedSources]
        const builder = await createBuilder({ ...options, plugins, logLevel: 'silent' })
        await builder.buildApp()
      } catch (error) {
        const mistake = error instanceof SiteMistaken ? null : mistakeOf(error, root)
        throw mistake === null ? error : new SiteMistaken([mistake], root)
      }
    },
  }
}
