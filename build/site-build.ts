/** How the site is built: the options for Vite, and the build that runs only when something has changed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { createBuilder, type InlineConfig } from 'vite'
import { type Config, ConfigError, loadConfig } from '../server/config.ts'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { fingerprintOf } from './fingerprint.ts'
import { inlineScript } from './inline-script.ts'
import { legalTexts } from './legal-texts.ts'
import { plainWords } from './plain-words.ts'
import { staticPages } from './static-pages.ts'

const root = join(import.meta.dirname, '..')
export const DIST = join(root, 'dist')

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

export function siteOptions(config: Config, outDir: string): InlineConfig {
  return {
    root,
    // Vite would read the settings file as well, and by other rules.
    envDir: false,
    plugins: [react(), tailwindcss(), inlineScript(), legalTexts(), plainWords(), staticPages(config, outDir)],
    build: { target: [...BROWSERS] },
    server: { host: config.host, port: config.port },
  }
}

export async function buildIfStale(config: Config, outDir: string): Promise<void> {
  if (builtFingerprint(outDir) === fingerprintOf(root, config)) return
  console.log('Building the site …')
  const options = { ...siteOptions(config, outDir), configFile: false as const, logLevel: 'warn' as const }
  await (await createBuilder(options)).buildApp()
}

function builtFingerprint(outDir: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(outDir, MANIFEST_FILE), 'utf8')) as SiteManifest).fingerprint
  } catch {
    return null
  }
}
