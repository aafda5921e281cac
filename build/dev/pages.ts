/** Renders each page on request, and reloads every open page when one of its sources changes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRunnableDevEnvironment, type ViteDevServer } from 'vite'
import { VARIANT_PARAMETER } from '../../domain/variants.ts'
import type { Config } from '../../server/config.ts'
import type { LoadedFile, Site } from '../../server/http/site.ts'
import { ERROR_FILE, NOT_FOUND_FILE, PLAIN_FORM_FILE, SUBMISSION_ERROR_FILE } from '../../server/http/site-manifest.ts'
import { buildAssets } from '../assets/assets.ts'
import { root } from '../build.ts'
import { inlineHashes, mediaTypeOf } from '../output.ts'
import { formatSourceError, toSourceError } from '../source-errors.ts'
import { RENDERER, type Renderer, renderOptions } from '../static-pages.ts'

/** A page sends this once it is connected. */
const SHOWN = 'page:shown'

export interface PageServer {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** The site as it is now, for the lead service; null while an error in the sources keeps it from rendering. */
  site(): Promise<Site | null>
}

export async function createPageServer(vite: ViteDevServer, config: Config): Promise<PageServer> {
  const { ssr } = vite.environments
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('The ssr environment cannot run code here.')
  // Report each error once; reloads hit it again.
  let lastReported = ''
  /** Counted, so that a page rendered before the latest change is known to be out of date. */
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
    // The island is replaced in place; what the server rendered must be fetched again.
    vite.environments.client?.hot.send({ type: 'full-reload' })
  })
  // A page that was still loading when a file changed has missed the reload.
  vite.environments.client?.hot.on(SHOWN, ({ asOf }: { asOf: number }, client) => {
    if (asOf < changes) client.send({ type: 'full-reload' })
  })

  /** The page with the hot-reload client, and the change that it was rendered after. */
  const connected = async (path: string, html: string, asOf: number) => {
    const hot = `import { createHotContext } from '/@vite/client'; createHotContext('/').send('${SHOWN}', { asOf: ${asOf} })`
    const page = await vite.transformIndexHtml(path, html)
    return page.replace('</head>', () => `<script type="module">${hot}</script></head>`)
  }

  async function answer({ pathname: path, searchParams }: URL, response: ServerResponse, asOf: number): Promise<void> {
    const send = (content: string | Buffer) => {
      response.setHeader('content-type', mediaTypeOf(path))
      response.end(content)
    }
    const { renderer, built, options } = await render()
    const file = built.files.find(candidate => candidate.path === path)
    if (file) return send(file.bytes)
    const text = renderer.renderDiscoveryFiles(options)[path]
    if (text !== undefined) return send(text)
    const page = pageAt(renderer, path, searchParams.get(VARIANT_PARAMETER))
    const shown = page ?? pageNamed(renderer, NOT_FOUND_FILE)
    response.statusCode = page ? 200 : 404
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(await connected(path, renderer.renderPage(shown, options), asOf))
  }

  return {
    async handle(request, response) {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const asOf = changes
      try {
        await answer(url, response, asOf)
        lastReported = ''
      } catch (error) {
        const told = explain(error, vite)
        if (told !== lastReported) console.error(`\n${told}\n`)
        lastReported = told
        response.statusCode = 500
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(await connected(url.pathname, errorPage(told), asOf))
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
            // Dev only: no launch check.
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
        // The error page shows the reason.
        return null
      }
    },
  }
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
  const sourceError = toSourceError(error, root)
  if (sourceError) return formatSourceError(sourceError, root)
  if (!(error instanceof Error)) return String(error)
  vite.ssrFixStacktrace(error)
  const place = error.stack?.split('\n').find(line => line.includes(root) && !line.includes('node_modules'))
  return place === undefined ? error.message : `${error.message}\n  ${place.trim().replace(`${root}/`, '')}`
}

/** Reloads automatically, like every page here, when the error is fixed. */
function errorPage(told: string): string {
  const escaped = told.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Something to fix</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:1.125rem/1.5 system-ui;margin:2rem;max-width:60rem}pre{overflow:auto;padding:1rem;background:#f4f1ea}</style></head>
<body><h1>Something to fix</h1><pre>${escaped}</pre><p>This page reloads when it is fixed. The public site is not affected.</p></body></html>`
}
