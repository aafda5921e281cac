/** The desk's pages: one document at every address of a view, and the files that it asks for. Nothing in them is secret. */
import { type Context, Hono } from 'hono'
import type { BrowserFile, BrowserFiles } from '../browser-files.ts'
import type { DeskRequest } from '../services.ts'

/** As desk/browser/app.tsx has them. */
const views = ['/', '/invitation', '/leads', '/leads/:id', '/health', '/you']

const FOR_GOOD = 'max-age=31536000, immutable'

/** To a person who opens an address that is none: the page that says so. */
export function answerNowhere(context: Context, { document }: BrowserFiles): Response {
  return answerWith(context, document, 404)
}

/** By a person, and not by a script of a page. */
export const isOpenedInBrowser = ({ req }: Context) =>
  req.method === 'GET' && /\btext\/html\b/.test(req.header('accept') ?? '')

export const asksForPage = (context: Context) =>
  isOpenedInBrowser(context) && !/^\/(api|assets)\//.test(context.req.path)

export function createPages({ document, files }: BrowserFiles): Hono<DeskRequest> {
  const pages = new Hono<DeskRequest>()
  for (const view of views) pages.get(view, context => answerWith(context, document))
  pages.get('/assets/:file', context => {
    const file = files.get(context.req.path)
    return file ? answerWith(context, file) : context.notFound()
  })
  return pages
}

function answerWith(
  context: Context,
  { type, immutable, bytes, encoded }: BrowserFile,
  status: 200 | 404 = 200,
): Response {
  const accepted = context.req.header('accept-encoding') ?? ''
  const encoding = (['br', 'gzip'] as const).find(each => encoded[each] && new RegExp(`\\b${each}\\b`).test(accepted))
  return context.body((encoding && encoded[encoding]) ?? bytes, status, {
    'content-type': type,
    vary: 'Accept-Encoding',
    ...(encoding && { 'content-encoding': encoding }),
    ...(immutable && { 'cache-control': FOR_GOOD }),
  })
}
