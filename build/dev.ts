/** `npm run dev`: the site with hot reload. Leads are accepted but not stored; to store them, run `npm start`. */
import type { ServerResponse } from 'node:http'
import { createServer, type HotPayload, isRunnableDevEnvironment, type Plugin, type ViteDevServer } from 'vite'
import { PROGRESS_PATH } from '../domain/drop-off.ts'
import { ENGLISH, fileIn, languageOfPath, languageOfQuery, pathInLanguage } from '../domain/languages.ts'
import { sentenceOf } from '../domain/launch/findings.ts'
import { VARIANT_PARAMETER } from '../domain/variants.ts'
import { createLocator } from '../launch/locations.ts'
import type { editFindings } from '../launch/site-findings.ts'
import { type BuiltPictures, buildPictures } from '../publish/assets.ts'
import { mediaTypeOf } from '../publish/output.ts'
import { type Renderer, renderOptions } from '../publish/site.ts'
import { NOT_FOUND_FILE } from '../server/http/site-manifest.ts'
import { type Config, OWN_LEAD_ENDPOINT } from '../server/settings/config.ts'
import { root } from './build.ts'
import { PANEL, RENDERER, SAY_MORE, TYPEFACES, viteOptions } from './compile.ts'
import { makeFonts } from './fonts.ts'
import { loadConfigOrExit, SourceError, withLocation } from './site.ts'
import { firstTypeError, reportTypeErrors } from './types.ts'

const config: Config = { ...loadConfigOrExit(), leadEndpoint: OWN_LEAD_ENDPOINT }
const vite = await createServer({
  ...viteOptions,
  plugins: [...(viteOptions.plugins ?? []), pagesOnRequest()],
  server: { host: config.host, port: config.port, strictPort: config.port !== 0 },
})
await vite.listen()
vite.printUrls()
console.log('\n  Edit content/ and the page updates. Add ?variant=NAME to preview a variant. Press Ctrl+C to stop.\n')

/** Renders each page on request and reloads open pages when a source file changes. */
function pagesOnRequest(): Plugin {
  let assets: { readonly sources: string; readonly built: Promise<BuiltPictures> } | undefined
  const fonts = makeFonts()
  const saves = checkOnSave()
  return {
    name: 'pages-on-request',
    hotUpdate({ file, server }) {
      if (this.environment.name !== 'ssr' || !/\/(content|domain|site)\//.test(file)) return
      if (file.includes('/content/pictures/')) assets = undefined
      server.environments.client.hot.send({ type: 'full-reload' })
      saves.check(server)
    },
    configureServer(server) {
      const { environments, middlewares, transformIndexHtml } = server
      const { ssr } = environments
      if (!isRunnableDevEnvironment(ssr)) throw new Error('The ssr environment can’t run code.')
      const { runner } = ssr
      saves.check(server)
      saves.showWhenConnected(server)

      async function respond({ pathname: path, searchParams }: URL, response: ServerResponse): Promise<void> {
        const renderer = await runner.import<Renderer>(`/${RENDERER}`)
        // Drawing the pictures takes longer than rendering the page.
        const sources = JSON.stringify(renderer.pictureSources)
        if (assets?.sources !== sources) assets = { sources, built: buildPictures(renderer.pictureSources) }
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
          renderer.pages.find(({ file }) => file === fileIn(language, NOT_FOUND_FILE))
        const page = found ?? notFound(languageOfPath(path)) ?? notFound(ENGLISH)
        if (!page) throw new Error(`There is no page ${NOT_FOUND_FILE}.`)
        const html = await transformIndexHtml(path, renderer.renderPage(page, options))
        response.writeHead(found ? 200 : 404, { 'content-type': mediaTypeOf('page.html') }).end(html)
      }

      // After Vite's own middleware, which serves scripts and styles.
      return () =>
        middlewares.use((request, response, next) => {
          const url = new URL(request.url ?? '/', 'http://localhost')
          if (url.pathname === PROGRESS_PATH) response.writeHead(204).end()
          else if (url.pathname === OWN_LEAD_ENDPOINT)
            acceptLead(request.method, pathInLanguage(languageOfQuery(url.search.slice(1)), '/thank-you'), response)
          else
            respond(url, response).catch(async error => {
              const located = withLocation(error)
              // A misspelled name can break a page anywhere; its type error says where to look.
              const typeError = located === error ? await saves.error() : null
              next(typeError === null ? located : new SourceError(typeError))
            })
        })
    },
  }
}

function unknownVariant(pages: readonly { readonly variant?: string | undefined }[]): string {
  const names = pages.flatMap(({ variant }) => variant ?? [])
  return `This page has ${names.length > 0 ? `only these variants: ${names.join(', ')}` : 'no variants'}. To add one, see content/headline-variants.ts.`
}

/**
 * Checks the content in the background after each save, because pages don't wait for it: its types, then what the launch check
 * would say about the edit. Shows the first error in the browser and the terminal.
 */
function checkOnSave() {
  let saves = 0
  let shown: string | null = null
  let last: Promise<string | null> = Promise.resolve(null)
  const payload = (message: string): HotPayload => ({ type: 'error', err: { message, stack: '' } })

  async function checkOnce(server: ViteDevServer, before: string | null, save: number) {
    const { client } = server.environments
    // The next save has its own check.
    if (save < saves) return before
    const found = firstTypeError(await reportTypeErrors('content')) ?? (await firstFinding(server))
    if (save < saves) return found
    shown = found
    if (found !== null) {
      console.error(`\n  ${found}\n`)
      client.hot.send(payload(found))
    } else if (before !== null) client.hot.send({ type: 'full-reload' })
    return found
  }

  return {
    check(server: ViteDevServer): void {
      const save = ++saves
      shown = null
      last = last.then(before => checkOnce(server, before, save))
    },
    /** For a page that was still loading when the check ended. */
    showWhenConnected({ environments: { client } }: ViteDevServer): void {
      client.hot.on('vite:client:connect', (_, connected) => {
        if (shown !== null) connected.send(payload(shown))
      })
    },
    error: () => last,
  }
}

/** What the launch check would say about an edit. Content that can't be loaded is reported by the pages themselves. */
async function firstFinding({ environments: { ssr } }: ViteDevServer): Promise<string | null> {
  if (!isRunnableDevEnvironment(ssr)) return null
  const loaded = await ssr.runner
    .import<{ editFindings: typeof editFindings }>('/launch/site-findings.ts')
    .catch(() => null)
  const [first] = loaded?.editFindings() ?? []
  if (!first) return null
  const locationOf = createLocator({ root, settingsFile: null, environment: {} })
  return `${locationOf(first.change).replace(':', ', line ')}: ${sentenceOf(first)}`
}

function acceptLead(method: string | undefined, thankYou: string, response: ServerResponse): void {
  console.log('  Lead received but not stored.')
  if (method === 'POST') response.writeHead(303, { location: thankYou }).end()
  else response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"accepted"}')
}
