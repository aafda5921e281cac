/**
 * The Vite plugin that renders the pages at build time. The development server (build/dev.ts) renders them on request with
 * the same site/static/render.tsx, so both produce the same pages.
 */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { EnvironmentOptions, Plugin, ViteBuilder } from 'vite'
import { type InEachLanguage, type Language, languages } from '../content/languages.ts'
import { ORIGINAL } from '../domain/variants.ts'
import type { LaunchNotes } from '../server/http/site-manifest.ts'
import type { Config } from '../server/settings/config.ts'
import { versionOf } from '../server/store/leads/presented.ts'
import type { RenderOptions } from '../site/static/render.tsx'
import { type BuiltAssets, buildAssets } from './assets/assets.ts'
import { root } from './build.ts'
import { type Compression, removeUnusedCss, type SourceFile, writeSite } from './output.ts'
import { clientOf } from './plugins.ts'
import { writeStaticSite } from './static-host.ts'

export interface Output {
  /** For our server: pages with compressed copies, templates, and the manifest. */
  readonly built: string
  /** For a static host: the same pages, without the files that only our server needs. Null to leave it out. */
  readonly dist: string | null
  /** The site that this one replaces, if it's live (carry-over.ts). */
  readonly before: string | null
  readonly compression: Compression
}

/** The settings baked into the pages. Without SITE_URL, pages contain no absolute URLs and work on any port. */
export function bakedSettings({ siteUrl, publicHostname, hstsSubdomains, leadEndpoint, trustedForm }: Config) {
  return { siteUrl: publicHostname === null ? null : siteUrl, hstsSubdomains, leadEndpoint, trustedForm }
}

export type Renderer = typeof import('../site/static/render.tsx')

export const RENDERER = 'site/static/render.tsx'
const PANEL = 'site/browser/main.tsx'
const TYPEFACES = 'site/browser/typefaces.ts'
const SAY_MORE = 'site/browser/say-more.ts'

export function staticPages(config: Config, output: Output): Plugin {
  const renderDir = join(output.built, '.render')
  return {
    name: 'static-pages',
    config: () => ({
      root,
      appType: 'custom',
      publicDir: false,
      environments: {
        ...Object.fromEntries(
          languages.map(language => [clientOf(language), clientBuild(clientDir(output, language))]),
        ),
        ssr: { build: { outDir: renderDir, ssr: true, rolldownOptions: { input: RENDERER } } },
      },
      builder: { buildApp: builder => buildPages(builder, config, output, renderDir) },
    }),
  }
}

/** Each visitor downloads one language. English is built first, in the site's own folder. */
const clientDir = ({ built }: Output, language: Language) =>
  language === 'en' ? built : join(built, `.client-${language}`)

const clientBuild = (outDir: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    assetsDir: 'assets',
    modulePreload: false,
    rolldownOptions: { input: { browser: PANEL, typefaces: TYPEFACES, 'say-more': SAY_MORE } },
  },
})

async function buildPages(builder: ViteBuilder, config: Config, output: Output, renderDir: string) {
  for (const name of [...languages.map(clientOf), 'ssr']) {
    const environment = builder.environments[name]
    if (!environment) throw new Error(`The ${name} environment is missing.`)
    await builder.build(environment)
  }
  const renderer = (await import(pathToFileURL(join(renderDir, 'render.js')).href)) as Renderer
  const built = await buildAssets(renderer.pictureSources)
  const clients = await Promise.all(
    languages.map(async language => {
      const folder = clientDir(output, language)
      const chunks = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
      return { language, chunks, files: await readFiles(folder, 'assets') }
    }),
  )
  const options = renderOptions(config, built, renderer, (entry, wanted) => {
    const client = clients.find(({ language }) => language === wanted)
    return `/${client?.chunks[entry].file}`
  })
  // Scripts without words are the same in every language.
  const scripts = [...new Map(clients.flatMap(({ files }) => files.map(file => [file.file, file]))).values()]
  await rm(renderDir, { recursive: true })
  for (const { language } of clients.toReversed()) {
    const folder = clientDir(output, language)
    await rm(language === 'en' ? join(folder, '.vite') : folder, { recursive: true })
  }
  const scriptTexts = scripts.map(({ bytes }) => bytes).join(' ')
  const allFiles = (hasReceiver: boolean) => [
    ...scripts,
    ...renderAll(renderer, { ...options, hasReceiver }, built, scriptTexts),
  ]
  const files = allFiles(true)
  const settings = {
    leadEndpoint: config.leadEndpoint,
    trustedForm: config.trustedForm,
    copy: renderer.serverCopy,
    launch: await launchNotes(files, bakedSettings(config).siteUrl ?? 'http://localhost'),
  }
  await writeSite(output.built, files, settings, output)
  if (output.dist !== null) await writeStaticSite(output.dist, allFiles(false), config)
}

function renderAll(renderer: Renderer, options: RenderOptions, built: BuiltAssets, scripts: string): SourceFile[] {
  const pages = renderer.pages.map(page => ({
    // Only the original has a path; the server picks a variant for each visitor.
    path: page.variant && page.variant !== ORIGINAL ? null : page.path,
    file: page.file,
    variant: page.variant && page.path !== null ? { of: page.path, name: page.variant } : undefined,
    sendsLeads: page.hasQuestionnaire,
    bytes: Buffer.from(removeUnusedCss(renderer.renderPage(page, options), scripts)),
  }))
  const discoveryFiles = Object.entries(renderer.renderDiscoveryFiles(options)).map(([path, text]) =>
    fileAtPath(path, Buffer.from(text)),
  )
  return [...pages, ...discoveryFiles, ...built.files.map(({ path, bytes }) => fileAtPath(path, bytes))]
}

const fileAtPath = (path: string, bytes: Buffer): SourceFile => ({ path, file: path.slice(1), bytes })

async function readFiles(folder: string, subfolder: string): Promise<SourceFile[]> {
  const names = await readdir(join(folder, subfolder))
  return Promise.all(
    names.map(async name => fileAtPath(`/${subfolder}/${name}`, await readFile(join(folder, subfolder, name)))),
  )
}

export function renderOptions(
  config: Config,
  { assets, typefaces, fallbackFonts }: BuiltAssets,
  { serverCopy }: Renderer,
  pathOf: (entry: string, language: Language) => string,
): RenderOptions {
  const { siteUrl, leadEndpoint, trustedForm } = bakedSettings(config)
  // The renderer's languages: while the development server runs, one can be turned off.
  const rendered = Object.keys(serverCopy.languages) as Language[]
  const inEach = <Value>(valueIn: (language: Language) => Value) =>
    Object.fromEntries(rendered.map(language => [language, valueIn(language)])) as InEachLanguage<Value>
  return {
    siteUrl,
    assets,
    typefaces,
    fallbackFonts,
    panelScripts: inEach(language => pathOf(PANEL, language)),
    typefacesScript: pathOf(TYPEFACES, 'en'),
    sayMoreScript: pathOf(SAY_MORE, 'en'),
    trustedForm,
    destinations: inEach(language => ({
      leadEndpoint,
      consentVersion: versionOf(serverCopy.languages[language].consent),
      questionnaireVersion: versionOf(serverCopy.languages[language].questionnaire),
    })),
    // The same in every language, so a draft survives switching.
    draftVersion: versionOf(
      Object.values(serverCopy.languages)
        .map(copy => copy.questionnaire)
        .join(''),
    ).slice(0, 8),
    builtOn: new Date(),
    hasReceiver: true,
  }
}

/** The launch check's findings in the new pages, for the server's alerts and the desk. */
async function launchNotes(files: readonly SourceFile[], siteUrl: string): Promise<LaunchNotes> {
  // Import content/ only after rendering, which reports its errors with file and line.
  const { siteFindings } = await import('../launch/site-findings.ts')
  const { builtSiteOf } = await import('../launch/page.ts')
  const { completeJustifications } = await import('../launch/check.ts')
  const { justifications } = await import('../content/claims.ts')
  const findings = siteFindings({ ...builtSiteOf(files, ({ bytes }) => bytes.toString()), siteUrl })
  return {
    points: findings.map(({ change: _, ...point }) => point),
    justified: Object.keys(completeJustifications(justifications, new Date().toISOString().slice(0, 10))),
  }
}
