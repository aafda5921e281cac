/** `npm run dev`: the site with hot reload. Leads are accepted but not stored; to store them, run `npm start`. */
import './native-packages.ts'
import type { ServerResponse } from 'node:http'
import { createServer, type HotPayload, isRunnableDevEnvironment, type Plugin, type ViteDevServer } from 'vite'
import { ENGLISH, fileIn, type Language, languageOfPath, languageOfQuery, pathInLanguage } from '../domain/languages.ts'
import { sentenceOf } from '../domain/launch/findings.ts'
import { PROGRESS_PATH } from '../domain/visits/drop-off.ts'
import { VARIANT_PARAMETER } from '../domain/visits/variants.ts'
import { createLocator } from '../launch/locations.ts'
import { editFindings } from '../launch/site-findings.ts'
import { mediaTypeOf } from '../publish/output.ts'
import { type BuiltPictures, buildPictures } from '../publish/pictures.ts'
import { type Renderer, renderOptions } from '../publish/site.ts'
import { forTerminal } from '../server/export/plain-text.ts'
import { ownPageFiles } from '../server/http/site-manifest.ts'
import { type Config, OWN_LEAD_ENDPOINT } from '../server/settings/config.ts'
import { changedOriginals, summarize } from '../site-folder/changed-originals.ts'
import { ORIGINALS, pictureFolders } from '../site-folder/files.ts'
import { formatFinding } from '../site-folder/findings.ts'
import { changedInOneLanguage } from '../site-folder/texts.ts'
import { root } from './build.ts'
import { PANEL, RENDERER, SAY_MORE, TYPEFACES, viteOptions } from './compile.ts'
import { makeFonts } from './fonts.ts'
import { currentData } from './plugins.ts'
import { loadConfigOrExit, SourceError, siteOf } from './site.ts'

/** Shows the thank-you page as after sending the form, with the time by which you'll call. */
const SENT = 'sent'
const AS_SENT = '<script>tab.keep({stage:"sent"})</script>'

const config: Config = { ...loadConfigOrExit(), leadEndpoint: OWN_LEAD_ENDPOINT }
/** Read once per save. */
let site: ReturnType<typeof siteOf> | undefined
const read = () => {
  site ??= siteOf(config)
  return site
}

/** Drafts of legal pages can be read here, and only here. */
const readWithDrafts = () => {
  const { data, files } = read()
  const pages = (language: Language) =>
    Object.fromEntries(
      Object.entries(data.legalPages[language]).map(([name, page]) => [
        name,
        page.blocks.length > 0 ? { ...page, isDraft: false } : page,
      ]),
    )
  const legalPages = { en: pages('en'), es: pages('es') } as typeof data.legalPages
  return { data: { ...data, legalPages }, files }
}

const vite = await createServer({
  ...viteOptions,
  plugins: [...(viteOptions.plugins ?? []), currentData(readWithDrafts), pagesOnRequest()],
  server: { host: config.host, port: config.port, strictPort: config.port !== 0 },
})
await vite.listen()
vite.printUrls()
console.log(`
  After sending the form: ${new URL(`/thank-you?${SENT}`, vite.resolvedUrls?.local[0])}

  Edit ${config.siteFolder ?? 'content/'} and the page updates. Add ?variant=NAME to preview a variant. Press Ctrl+C to stop.
`)
const changed = config.siteFolder === null ? null : summarize(changedOriginals(config.siteFolder))
if (changed !== null) console.log(`  ${changed}\n`)

/** Renders each page on request and reloads open pages when a source file changes. */
function pagesOnRequest(): Plugin {
  let assets: { readonly sources: string; readonly built: Promise<BuiltPictures> } | undefined
  const fonts = makeFonts()
  const saves = checkOnSave()
  return {
    name: 'pages-on-request',
    hotUpdate({ file, server }) {
      const isSite = file.startsWith(ORIGINALS) || (config.siteFolder !== null && file.startsWith(config.siteFolder))
      if (isSite) site = undefined
      if (this.environment.name !== 'ssr' || !(isSite || /\/(domain|site|site-folder)\//.test(file))) return
      if (file.includes('/pictures/')) assets = undefined
      server.environments.client.hot.send({ type: 'full-reload' })
      saves.check(server)
    },
    configureServer(server) {
      const { environments, middlewares, transformIndexHtml } = server
      const { ssr } = environments
      if (!isRunnableDevEnvironment(ssr)) throw new Error('The ssr environment can’t run code.')
      const { runner } = ssr
      if (config.siteFolder !== null) server.watcher.add(config.siteFolder)
      saves.check(server)
      saves.showWhenConnected(server)

      async function respond({ pathname: path, searchParams }: URL, response: ServerResponse): Promise<void> {
        const renderer = await runner.import<Renderer>(`/${RENDERER}`).catch(error => {
          // Vite doesn't know which files it was made of, so it would fail in the same way after they're mended.
          runner.clearCache()
          throw error
        })
        // Drawing the pictures takes longer than rendering the page.
        const { pictures, people, logo, colors } = renderer.organization
        const sources = JSON.stringify([pictures, people, logo, colors])
        if (assets?.sources !== sources)
          assets = { sources, built: buildPictures(renderer.organization, pictureFolders(config.siteFolder)) }
        const built = await assets.built
        const { typefaces, fallbackFonts, files: fontFiles } = await fonts
        const options = renderOptions(config, renderer, {
          assets: built.assets,
          typefaces,
          fallbackFonts,
          panelOf: () => `/${PANEL}`,
          scripts: { typefaces: `/${TYPEFACES}`, sayMore: `/${SAY_MORE}` },
        })
        const files = [...built.files, ...fontFiles]
        const file = files.find(each => each.path === path)?.bytes ?? renderer.renderDiscoveryFiles(options)[path]
        if (file !== undefined) {
          response.setHeader('content-type', mediaTypeOf(path)).end(file)
          return
        }
        const candidates = renderer.pages.filter(page => page.path === path)
        const variant = searchParams.get(VARIANT_PARAMETER)
        const found = variant === null ? candidates[0] : candidates.find(page => page.variant === variant)
        if (candidates.length > 0 && !found) throw new SourceError(unknownVariant(candidates))
        const notFound = (language: string) =>
          renderer.pages.find(({ file }) => file === fileIn(language, ownPageFiles.notFound))
        const page = found ?? notFound(languageOfPath(path)) ?? notFound(ENGLISH)
        if (!page) throw new Error(`There is no page ${ownPageFiles.notFound}.`)
        const rendered = renderer.renderPage(page, options)
        const html = await transformIndexHtml(
          path,
          searchParams.has(SENT) ? rendered.replace('</head>', `${AS_SENT}</head>`) : rendered,
        )
        response.writeHead(found ? 200 : 404, { 'content-type': mediaTypeOf('page.html') }).end(html)
      }

      // After Vite's own middleware, which serves scripts and styles.
      return () =>
        middlewares.use((request, response, next) => {
          const url = new URL(request.url ?? '/', 'http://localhost')
          if (url.pathname === PROGRESS_PATH) response.writeHead(204).end()
          else if (url.pathname === OWN_LEAD_ENDPOINT)
            acceptLead(request.method, pathInLanguage(languageOfQuery(url.search.slice(1)), '/thank-you'), response)
          else respond(url, response).catch(next)
        })
    },
  }
}

function unknownVariant(pages: readonly { readonly variant?: string | undefined }[]): string {
  const names = pages.flatMap(({ variant }) => variant ?? [])
  return `This page has ${names.length > 0 ? `only these variants: ${names.join(', ')}` : 'no variants'}. To add one, see docs/content.md.`
}

/**
 * Checks the site after each save, because pages don't wait for it: first for errors, then for what the launch check would say about the
 * edit. Shows the first one in the browser and the terminal.
 */
function checkOnSave() {
  let shown: string | null = null
  let told = ''
  /** What may be on purpose is only said in the terminal. */
  function tellOnce(): void {
    const { data, findings } = read()
    const notes = [...findings, ...changedInOneLanguage(config.siteFolder, data)]
      .map(note => `  ${formatFinding(note)}\n`)
      .join('')
    if (notes !== told) console.log(forTerminal(notes))
    told = notes
  }
  const payload = (message: string): HotPayload => ({ type: 'error', err: { message, stack: '' } })
  return {
    check({ environments: { client } }: ViteDevServer): void {
      const before = shown
      shown = problemNow()
      if (shown !== null) {
        console.error(forTerminal(`\n  ${shown}\n`))
        client.hot.send(payload(shown))
      } else if (before !== null) client.hot.send({ type: 'full-reload' })
      if (shown === null) tellOnce()
    },
    /** For a page that was still loading when the check ended. */
    showWhenConnected({ environments: { client } }: ViteDevServer): void {
      client.hot.on('vite:client:connect', (_, connected) => {
        if (shown !== null) connected.send(payload(shown))
      })
    },
  }
}

function problemNow(): string | null {
  try {
    const { data } = read()
    const [first] = editFindings(data)
    if (!first) return null
    const { siteFolder: folder } = config
    const locationOf = createLocator({ root, folder, places: data.places, settingsFile: null, environment: {} })
    return `${locationOf(first.change).replace(/:(\d+)/, ', line $1')}: ${sentenceOf(first)}`
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return error.message
  }
}

function acceptLead(method: string | undefined, thankYou: string, response: ServerResponse): void {
  console.log('  Lead received but not stored.')
  if (method === 'POST') response.writeHead(303, { location: thankYou }).end()
  else response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"accepted"}')
}
