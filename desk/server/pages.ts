/** The desk's pages: one HTML document for every view, and the files it loads. None of them contain secrets. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import { linkedPages, menuPages } from '../routes.ts'
import type { DeskRequest } from './services.ts'

export const BUILT_DESK = join(import.meta.dirname, '../../built-desk')

/** File names in /assets/ contain a content hash. */
const FOREVER = 'max-age=31536000, immutable'

export class DeskNotBuilt extends Error {
  constructor() {
    super('The desk isn’t built yet. Start it with `npm run desk`, or run `npm run build`.')
    this.name = 'DeskNotBuilt'
  }
}

/** Returns `folder`, or throws if nothing was built there. */
export function builtPages(folder = BUILT_DESK): string {
  if (!existsSync(join(folder, 'index.html'))) throw new DeskNotBuilt()
  return folder
}

export function createPages(folder: string) {
  const pages = new Hono<DeskRequest>()
  for (const path of [...linkedPages, ...Object.keys(menuPages)]) {
    pages.get(path, context => sendDocument(context, folder))
  }
  return pages.use('/theme.js', serveStatic({ root: folder })).use(
    '/assets/*',
    serveStatic({
      root: folder,
      precompressed: true,
      onFound: (_, context) => context.header('cache-control', FOREVER),
    }),
  )
}

export async function sendDocument(context: Context, folder: string, status: 200 | 404 = 200): Promise<Response> {
  return context.html(await readFile(join(folder, 'index.html'), 'utf8'), status)
}

/** Opened by a person, not requested by a script. */
export const isOpenedInBrowser = ({ req }: Context) =>
  req.method === 'GET' && /\btext\/html\b/.test(req.header('accept') ?? '')

export const isPageRequest = (context: Context) =>
  isOpenedInBrowser(context) && !/^\/(api|assets)\//.test(context.req.path)
