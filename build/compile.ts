/**
 * Compiles what doesn't depend on anyone's words, once per release: the browser's scripts, the styles, the fonts, and the renderer.
 * publish/ makes a site of it, without Vite.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { createBuilder, type InlineConfig } from 'vite'
import { COMPILED, COMPILED_FILE, type Compiled, PANEL_FILE, RENDERER_FILE } from '../publish/compiled.ts'
import { type Build, root } from './build.ts'
import { makeFonts } from './fonts.ts'
import { inlineScript, publishedData, wordPlaceholders } from './plugins.ts'

export const RENDERER = 'site/static/render.tsx'
export const PANEL = 'site/browser/main.tsx'
export const TYPEFACES = 'site/browser/typefaces.ts'
export const SAY_MORE = 'site/browser/say-more.ts'

/** The oldest browsers that the site supports; also listed in CONTRIBUTING.md. */
const BROWSERS = ['safari16.4', 'ios16.4', 'chrome111', 'edge111', 'firefox128']

/** For `npm run dev`, too. */
export const viteOptions: InlineConfig = {
  root,
  configFile: false,
  // Otherwise Vite would read .env too, and parse it differently.
  envDir: false,
  cacheDir: join(root, '.cache/vite'),
  appType: 'custom',
  publicDir: false,
  plugins: [react(), tailwindcss(), inlineScript()],
  build: { target: BROWSERS },
}

export const compilation = (): Build => ({
  sources: ['domain/**', 'site/**', 'site-folder/**', 'build/**'],
  settings: {},
  folders: [COMPILED],
  async make([folder = ''], rejectUnlistedSources) {
    const [client, server] = [join(folder, '.client'), join(folder, '.server')]
    const builder = await createBuilder({
      ...viteOptions,
      logLevel: 'silent',
      plugins: [...(viteOptions.plugins ?? []), publishedData(), wordPlaceholders(), rejectUnlistedSources],
      environments: {
        client: {
          build: {
            outDir: client,
            manifest: true,
            modulePreload: false,
            rolldownOptions: { input: { browser: PANEL, typefaces: TYPEFACES, 'say-more': SAY_MORE } },
          },
        },
        ssr: {
          // A server has none of the packages that render pages.
          resolve: { noExternal: true },
          define: { 'process.env.NODE_ENV': '"production"' },
          build: { outDir: server, ssr: true, rolldownOptions: { input: RENDERER } },
        },
      },
      builder: {
        async buildApp({ environments, build }) {
          for (const name of ['client', 'ssr'] as const) if (environments[name]) await build(environments[name])
        },
      },
    })
    await builder.buildApp()

    const chunks = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8'))
    const [panel, typefaces, sayMore] = [PANEL, TYPEFACES, SAY_MORE].map(entry => chunks[entry])
    if (panel.imports) throw new Error(`${PANEL} must be one file: a publication gives it words and a new name.`)
    renameSync(join(client, panel.file), join(folder, PANEL_FILE))
    renameSync(join(server, 'render.js'), join(folder, RENDERER_FILE))
    renameSync(join(client, 'assets'), join(folder, 'assets'))
    for (const made of [client, server]) rmSync(made, { recursive: true })
    const fonts = await makeFonts()
    for (const { path, bytes } of fonts.files) writeFileSync(join(folder, path), bytes)
    const compiled: Compiled = {
      typefaces: fonts.typefaces,
      fallbackFonts: fonts.fallbackFonts,
      scripts: { typefaces: `/${typefaces.file}`, sayMore: `/${sayMore.file}` },
    }
    writeFileSync(join(folder, COMPILED_FILE), JSON.stringify(compiled))
  },
})
