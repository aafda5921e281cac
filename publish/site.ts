/** Makes a site of the compiled program (build/compile.ts): fills in words, renders pages, draws pictures, and compresses. Without Vite. */
import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Language } from '../domain/languages.ts'
import { ORIGINAL } from '../domain/visits/variants.ts'
import { acceptedBy } from '../launch/check.ts'
import { siteNotes } from '../launch/notes.ts'
import { builtSiteOf } from '../launch/page.ts'
import { siteFindings } from '../launch/site-findings.ts'
import { type LaunchNotes, type Publication, type SiteText, TEXTS_FILE } from '../server/http/site-manifest.ts'
import type { Config } from '../server/settings/config.ts'
import { versionOf } from '../server/store/facts/leads/hashes.ts'
import type { RenderOptions } from '../site/static/render.tsx'
import { pictureFolders } from '../site-folder/files.ts'
import { textsOf } from '../site-folder/texts.ts'
import type { InEachLanguage, SiteData } from '../site-folder/types.ts'
import {
  COMPILED,
  COMPILED_FILE,
  type Compiled,
  PANEL_FILE,
  placeholderOf,
  RENDERER_FILE,
  SITE_DATA,
} from './compiled.ts'
import { type Compression, hashed, removeUnusedCss, type SourceFile, writeSite } from './output.ts'
import { type BuiltPictures, buildPictures } from './pictures.ts'
import { writeStaticSite } from './static-host.ts'

export interface Output {
  /** For our server: pages with compressed copies, templates, and the manifest. */
  readonly built: string
  /** For a static host: the same pages, without the files that only our server needs. Null to leave it out. */
  readonly dist: string | null
  /** The site that this one replaces, if it's live (carry-over.ts). */
  readonly before: string | null
  readonly compression: Compression
  /** Null in a checkout. */
  readonly publication: Publication | null
}

/** The settings baked into the pages. Without SITE_URL, pages contain no absolute URLs and work on any port. */
export function bakedSettings({ siteUrl, publicHostname, hstsSubdomains, leadEndpoint, trustedForm }: Config) {
  return { siteUrl: publicHostname === null ? null : siteUrl, hstsSubdomains, leadEndpoint, trustedForm }
}

export type Renderer = typeof import('../site/static/render.tsx')

export async function publish(config: Config, output: Output, site: SiteData): Promise<void> {
  // Before the rest takes memory.
  const pictures = await buildPictures(site.organization, pictureFolders(config.siteFolder))
  const renderer = await loadRenderer(site)
  const compiled = JSON.parse(readFileSync(join(COMPILED, COMPILED_FILE), 'utf8')) as Compiled
  const panels = fillPanel(renderer)
  const ready = globSync('assets/*', { cwd: COMPILED }).map(file =>
    fileAtPath(`/${file}`, readFileSync(join(COMPILED, file))),
  )
  const scripts = [...Object.values(panels), ...ready.filter(({ file }) => file.endsWith('.js'))]
  const options = renderOptions(config, renderer, {
    ...compiled,
    assets: pictures.assets,
    panelOf: language => panels[language].path ?? '',
  })
  const scriptTexts = scripts.map(({ bytes }) => bytes).join(' ')
  const allFiles = (hasReceiver: boolean) => [
    ...Object.values(panels),
    ...ready,
    ...renderAll(renderer, { ...options, hasReceiver }, pictures, scriptTexts),
  ]
  const files = allFiles(true)
  const settings = {
    leadEndpoint: config.leadEndpoint,
    trustedForm: config.trustedForm,
    publication: output.publication,
    copy: renderer.serverCopy,
    reviewed: site.reviewed,
    unknownTexts: site.unknownTexts,
    launch: launchNotes(config, site, files),
  }
  await mkdir(output.built, { recursive: true })
  const texts: readonly SiteText[] = textsOf(config.siteFolder, site.texts)
  await writeFile(join(output.built, TEXTS_FILE), JSON.stringify(texts))
  await writeSite(output.built, files, settings, output)
  if (output.dist !== null) await writeStaticSite(output.dist, allFiles(false), config)
}

let loaded = 0

/** The pages read the site's data once, when they're loaded, so each site gets its own. */
function loadRenderer(site: SiteData): Promise<Renderer> {
  Object.assign(globalThis, { [SITE_DATA]: site })
  loaded += 1
  return import(`${pathToFileURL(join(COMPILED, RENDERER_FILE)).href}?site=${loaded}`)
}

/** Each visitor downloads one language. */
function fillPanel({ browserWords, serverCopy }: Renderer): InEachLanguage<SourceFile> {
  const script = readFileSync(join(COMPILED, PANEL_FILE), 'utf8')
  const inEach = Object.keys(serverCopy.languages).map(language => {
    const { path, bytes } = hashed('browser', 'js', Buffer.from(fillWords(script, browserWords, language)))
    return [language, fileAtPath(path, bytes)]
  })
  return Object.fromEntries(inEach)
}

/** In one pass, so a text that has a placeholder's name stays text. */
export function fillWords(
  script: string,
  words: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  language: string,
): string {
  const placeholders = new Map(Object.entries(words).map(([name, each]) => [placeholderOf(name), each]))
  return script.replaceAll(new RegExp([...placeholders.keys()].join('|'), 'g'), found =>
    literal({ [language]: placeholders.get(found)?.[language] }),
  )
}

/** A value as source code, in the minifier's style. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `\`${value.replaceAll(/[\\`]|\$\{/g, '\\$&')}\``
  if (Array.isArray(value)) return `[${value.map(literal)}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([key, each]) => `${/^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key)}:${literal(each)}`,
  )
  return `{${entries}}`
}

function renderAll(renderer: Renderer, options: RenderOptions, built: BuiltPictures, scripts: string): SourceFile[] {
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

/** What `npm run dev` and a publication get from elsewhere. */
interface Made extends Pick<Compiled, 'typefaces' | 'fallbackFonts' | 'scripts'> {
  readonly assets: BuiltPictures['assets']
  readonly panelOf: (language: Language) => string
}

export function renderOptions(config: Config, { serverCopy }: Renderer, made: Made): RenderOptions {
  const { siteUrl, leadEndpoint, trustedForm } = bakedSettings(config)
  const { assets, typefaces, fallbackFonts, scripts, panelOf } = made
  // The renderer's languages: while the development server runs, one can be turned off.
  const rendered = Object.keys(serverCopy.languages) as Language[]
  const inEach = <Value>(valueIn: (language: Language) => Value) =>
    Object.fromEntries(rendered.map(language => [language, valueIn(language)])) as InEachLanguage<Value>
  return {
    siteUrl,
    assets,
    typefaces,
    fallbackFonts,
    panelScripts: inEach(panelOf),
    typefacesScript: scripts.typefaces,
    sayMoreScript: scripts.sayMore,
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
function launchNotes(config: Config, site: SiteData, files: readonly SourceFile[]): LaunchNotes {
  const siteUrl = bakedSettings(config).siteUrl ?? 'http://localhost'
  const findings = siteFindings(site, { ...builtSiteOf(files, ({ bytes }) => bytes.toString()), siteUrl })
  return {
    points: findings.map(({ change: _, ...point }) => point),
    justified: Object.keys(acceptedBy(new Date().toISOString().slice(0, 10), site.reviews.accepted)),
    notes: siteNotes(config.siteFolder, site),
  }
}
