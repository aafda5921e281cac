/** How the site is built: the options for Vite, and the build, which puts a new site in place only when it is whole. */
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { createBuilder, type InlineConfig } from 'vite'
import { type Config, ConfigError, loadConfig } from '../server/config.ts'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { siteFingerprint } from './fingerprint.ts'
import { mistakeOf, SiteMistaken, typeMistakes } from './mistakes.ts'
import { inlineScript } from './plugins/inline-script.ts'
import { legalTexts } from './plugins/legal-texts.ts'
import { plainWords } from './plugins/plain-words.ts'
import { savedAsUtf8 } from './plugins/saved-as-utf8.ts'
import { type Places, staticPages } from './plugins/static-pages.ts'

export const root = join(import.meta.dirname, '..')

export const BUILT = join(root, 'built')
export const places: Places = { built: BUILT, dist: join(root, 'dist') }

/** The oldest browsers that the site is made for, as README.md says. */
const BROWSERS = ['safari16.4', 'ios16.4', 'chrome111', 'edge111', 'firefox128'] as const

/** For the programs that build: faults of the settings are told without a stack trace. */
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
    // Vite would read the settings file as well, and by other rules.
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
    build: { target: [...BROWSERS] },
  }
}

export interface BuildOptions {
  /** A typing error is found before it is on a page. Not needed where `npm run check` went before. */
  readonly checkTypes?: boolean
}

/** Throws SiteMistaken when the edit must be mended first. What is in place stays there until the new site is whole. */
export async function buildSite(
  config: Config,
  to: Places = places,
  { checkTypes = true }: BuildOptions = {},
): Promise<void> {
  // Inside the project, where the pages find React while they are rendered.
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache/build-'))
  const made: Places = { built: join(folder, 'built'), dist: join(folder, 'dist') }
  try {
    if (checkTypes) {
      const mistakes = await typeMistakes(root)
      if (mistakes.length > 0) throw new SiteMistaken(mistakes, root)
    }
    const builder = await createBuilder({ ...siteOptions(config, made), logLevel: 'silent' })
    await builder.buildApp()
    await putInPlace(made.built, to.built, join(folder, 'built-before'))
    await putInPlace(made.dist, to.dist, join(folder, 'dist-before'))
  } catch (error) {
    const mistake = error instanceof SiteMistaken ? null : mistakeOf(error, root)
    throw mistake === null ? error : new SiteMistaken([mistake], root)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function putInPlace(made: string, place: string, aside: string): Promise<void> {
  try {
    await rename(place, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await rename(made, place)
}

export const isStale = (config: Config, { built }: Places) =>
  readManifest(built)?.fingerprint !== siteFingerprint(config)

/** When the site that is in place was built; null when there is none. */
export function builtAt({ built }: Places): Date | null {
  return readManifest(built) && statSync(join(built, MANIFEST_FILE)).mtime
}

function readManifest(built: string): SiteManifest | null {
  try {
    return JSON.parse(readFileSync(join(built, MANIFEST_FILE), 'utf8')) as SiteManifest
  } catch {
    return null
  }
}
