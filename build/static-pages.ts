/**
 * The Vite plugin that makes static pages out of React: in development for each request, in a build once and for all.
 * Both go through site/static/render.tsx, so what is developed is what is built.
 */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRunnableDevEnvironment, type Plugin, type ViteBuilder, type ViteDevServer } from 'vite'
import type { Config } from '../server/config.ts'
import { versionOf } from '../server/presented-version.ts'
import type { RenderOptions } from '../site/static/render.tsx'
import { type BuiltAssets, buildAssets } from './assets.ts'
import { fingerprintOf } from './fingerprint.ts'
import { withUsedStyle } from './used-style.ts'
import { type SourceFile, writeSite } from './write-site.ts'

type Renderer = typeof import('../site/static/render.tsx')

const RENDERER = 'site/static/render.tsx'
const BROWSER_ENTRY = 'site/browser/main.tsx'

export function staticPages(config: Config, outDir: string): Plugin {
  const root = join(import.meta.dirname, '..')
  const renderDir = join(outDir, '.render')
  return {
    name: 'static-pages',
    config: () => ({
      root,
      appType: 'custom',
      publicDir: false,
      environments: {
        client: {
          build: {
            outDir,
            emptyOutDir: true,
            manifest: true,
            assetsDir: 'assets',
            modulePreload: false,
            rolldownOptions: { input: { browser: BROWSER_ENTRY } },
          },
        },
        ssr: { build: { outDir: renderDir, ssr: true, rolldownOptions: { input: RENDERER } } },
      },
      builder: { buildApp: builder => buildSite(builder, config, root, outDir, renderDir) },
    }),
    configureServer: server => () => serveSite(server, config),
  }
}

async function buildSite(builder: ViteBuilder, config: Config, root: string, outDir: string, renderDir: string) {
  const { client, ssr } = builder.environments
  if (!client || !ssr) throw new Error('The client and ssr environments are missing.')
  const built = await buildAssets()
  await builder.build(client)
  await builder.build(ssr)
  const renderer = (await import(pathToFileURL(join(renderDir, 'render.js')).href)) as Renderer
  const chunks = JSON.parse(await readFile(join(outDir, '.vite/manifest.json'), 'utf8'))
  const options = renderOptions(config, built, renderer, `/${chunks[BROWSER_ENTRY].file}`)
  const scripts = await readFiles(outDir, 'assets')
  await rm(renderDir, { recursive: true })
  await rm(join(outDir, '.vite'), { recursive: true })
  const pages = renderAll(renderer, options, built, scripts.map(({ bytes }) => bytes).join(' '))
  await writeSite(outDir, [...scripts, ...atFurtherAddresses(scripts), ...pages], {
    fingerprint: fingerprintOf(root, config),
    leadEndpoint: config.leadEndpoint,
    trustedForm: config.trustedForm,
    words: renderer.serverWords,
  })
}

function renderAll(renderer: Renderer, options: RenderOptions, built: BuiltAssets, scripts: string): SourceFile[] {
  const pages = renderer.pages.map(page => ({
    path: page.path,
    file: page.file,
    sendsLeads: page.hasQuestionnaire,
    bytes: Buffer.from(withUsedStyle(renderer.renderPage(page, options), scripts)),
  }))
  const texts = Object.entries(renderer.renderDiscoveryFiles(options)).map(([path, text]) =>
    fileAtPath(path, Buffer.from(text)),
  )
  return [...pages, ...texts, ...built.files.map(({ path, bytes }) => fileAtPath(path, bytes))]
}

const fileAtPath = (path: string, bytes: Buffer): SourceFile => ({ path, file: path.slice(1), bytes })

/**
 * The same scripts once more, at addresses that no browser has seen fail (site/browser/inline/first-press.ts). The
 * address differs in its folder, so that scripts which import each other stay together and React is there only once.
 */
function atFurtherAddresses(scripts: readonly SourceFile[]): SourceFile[] {
  return [1, 2].flatMap(attempt =>
    scripts.map(script => ({ ...script, path: script.path?.replace('/assets/', `/assets/${attempt}/`) ?? null })),
  )
}

async function readFiles(folder: string, below: string): Promise<SourceFile[]> {
  const names = await readdir(join(folder, below))
  return Promise.all(
    names.map(async name => fileAtPath(`/${below}/${name}`, await readFile(join(folder, below, name)))),
  )
}

function renderOptions(
  { siteUrl, leadEndpoint, trustedForm }: Config,
  { assets, fontFaces }: BuiltAssets,
  { serverWords }: Renderer,
  script: string,
): RenderOptions {
  const destination = {
    leadEndpoint,
    consentVersion: versionOf(serverWords.consent),
    questionnaireVersion: versionOf(serverWords.questionnaire),
  }
  return { siteUrl, assets, fontFaces, script, trustedForm, destination, builtOn: new Date() }
}

async function serveSite(server: ViteDevServer, config: Config) {
  const built = await buildAssets()
  const { ssr } = server.environments
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('The ssr environment cannot run code here.')
  server.middlewares.use(async (request, response, next) => {
    try {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const renderer = await ssr.runner.import<Renderer>(`/${RENDERER}`)
      const options = renderOptions(config, built, renderer, `/${BROWSER_ENTRY}`)
      const text = renderer.renderDiscoveryFiles(options)[path]
      const asset = text === undefined ? built.files.find(file => file.path === path)?.bytes : Buffer.from(text)
      if (asset) {
        if (path.endsWith('.svg')) response.setHeader('content-type', 'image/svg+xml')
        response.end(asset)
        return
      }
      const page = renderer.pages.find(candidate => candidate.path === path)
      const shown = page ?? renderer.pages.find(candidate => candidate.file === 'not-found.html')
      if (!shown) throw new Error('There is no not-found page.')
      response.statusCode = page ? 200 : 404
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(await server.transformIndexHtml(path, renderer.renderPage(shown, options)))
    } catch (error) {
      server.ssrFixStacktrace(error as Error)
      next(error)
    }
  })
}
