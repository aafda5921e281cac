/** Renders each page when it is asked for, and has every open page loaded again when something it is made from changed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRunnableDevEnvironment, type ViteDevServer } from 'vite'
import { VARIANT_PARAMETER } from '../../domain/variants.ts'
import type { Config } from '../../server/config.ts'
import type { LoadedFile, Site } from '../../server/http/load-site.ts'
import { ERROR_FILE, NOT_FOUND_FILE, PLAIN_FORM_FILE, SUBMISSION_ERROR_FILE } from '../../server/http/site-manifest.ts'
import { buildAssets } from '../assets/assets.ts'
import { describeMistake, mistakeOf } from '../mistakes.ts'
import { inlineHashes } from '../output/inline-hashes.ts'
import { mediaTypeOf } from '../output/write-site.ts'
import { RENDERER, type Renderer, renderOptions } from '../plugins/static-pages.ts'
import { root } from '../site-build.ts'

/** What a page says once it is connected. */
const SHOWN = 'page:shown'

export interface PageServer {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** What the lead service needs of the site as it is now; null while a mistake keeps it from being rendered. */
  site(): Promise<Site | null>
}

export async function createPageServer(vite: ViteDevServer, config: Config): Promise<PageServer> {
  const { ssr } = vite.environments
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('The ssr environment cannot run code here.')
  // A page that is asked for again has the same mistake.
  let lastTold = ''
  /** Counted, so that a page which was rendered before the latest of them can be told from one that was not. */
  let changes = 0
  let known: { readonly renderer: Renderer; readonly site: Site } | null = null

  const render = async () => {
    const renderer = await ssr.runner.import<Renderer>(`/${RENDERER}`)
    const built = await buildAssets(renderer.pictureSources)
    return { renderer, built, options: renderOptions(config, built, renderer, entry => `/${entry}`) }
  }

  vite.watcher.on('all', (_, file) => {
    if (!/[\\/](content|domain|site)[\\/]/.test(file) || file.endsWith('.test.ts')) return
    changes++
    // The island is exchanged in place; what was rendered by the server must be fetched anew.
    vite.environments.client?.hot.send({ type: 'full-reload' })
  })
  // A change while a page was on its way to the browser has been told to those that were connected already, not to it.
  vite.environments.client?.hot.on(SHOWN, ({ asOf }: { asOf: number }, client) => {
    if (asOf < changes) client.send({ type: 'full-reload' })
  })

  /** The page as the browser gets it: connected, and saying of when it is. */
  const connected = async (path: string, html: string, asOf: number) => {
    const hot = `import { createHotContext } from '/@vite/client'; createHotContext('/').send('${SHOWN}', { asOf: ${asOf} })`
    const page = await vite.transformIndexHtml(path, html)
    return page.replace('</head>', () => `<script type="module">${hot}</script></head>`)
  }

  async function answer({ path, variant }: Asked, response: ServerResponse, asOf: number): Promise<void> {
    const send = (content: string | Buffer) => {
      response.setHeader('content-type', mediaTypeOf(path))
      response.end(content)
    }
    const { renderer, built, options } = await render()
    const file = built.files.find(candidate => candidate.path === path)
    if (file) return send(file.bytes)
    const text = renderer.renderDiscoveryFiles(options)[path]
    if (text !== undefined) return send(text)
    const page = pageAt(renderer, path, variant)
    const shown = page ?? pageNamed(renderer, NOT_FOUND_FILE)
    response.statusCode = page ? 200 : 404
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(await connected(path, renderer.renderPage(shown, options), asOf))
  }

  return {
    async handle(request, response) {
      const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const asOf = changes
      try {
        await answer({ path, variant: searchParams.get(VARIANT_PARAMETER) }, response, asOf)
        lastTold = ''
      } catch (error) {
        const told = explain(error, vite)
        if (told !== lastTold) console.error(`\n${told}\n`)
        lastTold = told
        response.statusCode = 500
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(await connected(path, mistakePage(told), asOf))
      }
    },

    async site() {
      try {
        const { renderer, options } = await render()
        if (known?.renderer !== renderer) {
          const file = (name: string) => loaded(name, renderer.renderPage(pageNamed(renderer, name), options))
          const site: Site = {
            leadEndpoint: config.leadEndpoint,
            trustedForm: config.trustedForm,
            words: renderer.serverWords,
            // Nobody but its author sees it.
            launch: { points: [], justified: [] },
            byPath: new Map(),
            variants: new Map(),
            notFound: file(NOT_FOUND_FILE),
            error: file(ERROR_FILE),
            plainForm: file(PLAIN_FORM_FILE),
            submissionError: file(SUBMISSION_ERROR_FILE),
          }
          known = { renderer, site }
        }
        return known.site
      } catch {
        // Told by the page itself.
        return null
      }
    },
  }
}

interface Asked {
  readonly path: string
  readonly variant: string | null
}

/** The variant that the address names, or the page itself: nothing is assigned here. */
function pageAt(renderer: Renderer, path: string, variant: string | null) {
  const candidates = renderer.pages.filter(page => page.path === path)
  return candidates.find(page => page.variant === variant) ?? candidates[0]
}

function pageNamed(renderer: Renderer, file: string) {
  const page = renderer.pages.find(candidate => candidate.file === file)
  if (!page) throw new Error(`There is no page ${file}.`)
  return page
}

function loaded(file: string, html: string): LoadedFile {
  const body = new TextEncoder().encode(html)
  return {
    path: null,
    file,
    type: 'text/html; charset=utf-8',
    encodings: [],
    immutable: false,
    inline: inlineHashes(html),
    representations: [{ encoding: 'identity', body, etag: '"dev"' }],
  }
}

function explain(error: unknown, vite: ViteDevServer): string {
  const mistake = mistakeOf(error, root)
  if (mistake) return describeMistake(mistake, root)
  if (!(error instanceof Error)) return String(error)
  vite.ssrFixStacktrace(error)
  const place = error.stack?.split('\n').find(line => line.includes(root) && !line.includes('node_modules'))
  return place === undefined ? error.message : `${error.message}\n  ${place.trim().replace(`${root}/`, '')}`
}

/** Loaded again by itself, as every page here, when the mistake is mended. */
function mistakePage(told: string): string {
  const escaped = told.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A mistake to mend</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:1.125rem/1.5 system-ui;margin:2rem;max-width:60rem}pre{overflow:auto;padding:1rem;background:#f4f1ea}</style></head>
<body><h1>A mistake to mend</h1><pre>${escaped}</pre><p>This page comes back by itself when it is mended. The public site is not touched.</p></body></html>`
}
