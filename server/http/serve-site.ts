/** Serves the built site from memory: the right file, in the right encoding, with caching that can be trusted. */
import { type Answer, type Handler, type HttpRequest, readOnly, redirect } from './handler.ts'
import type { LoadedFile, Representation, Site } from './load-site.ts'
import { contentSecurityPolicy, type LeadSettings } from './security-headers.ts'

/** `view` counts page views and picks the variant of a page that a visitor gets. */
export function createServeSite(
  site: Site,
  serveFile: ServeFile,
  view = (_: HttpRequest, page: LoadedFile) => page,
): Handler {
  return readOnly(request => {
    const { path, query } = request
    const file = site.byPath.get(path)
    if (file) return serveFile(request, file.inline ? view(request, file) : file)
    const withoutSlash = withoutTrailingSlashes(path)
    if (withoutSlash !== path && site.byPath.has(withoutSlash)) {
      return redirect(308, query === '' ? withoutSlash : `${withoutSlash}?${query}`)
    }
    return serveFile(request, site.notFound, 404)
  })
}

/** Not a regular expression: on a path full of slashes, that takes half a second. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

export type ServeFile = (request: HttpRequest, file: LoadedFile, status?: FileStatus) => Answer

type FileStatus = 200 | 404 | 500

interface ReadyAnswer {
  readonly encoding: Representation['encoding']
  readonly etag: string
  readonly whole: Answer
  readonly unchanged: Answer
}

/** The few possible answers for a file are built once, not per visitor. A file is always served with the same status. */
export function createServeFile(settings: LeadSettings): ServeFile {
  const ready = new Map<LoadedFile, readonly ReadyAnswer[]>()
  return ({ header }, file, status = 200) => {
    const answers = ready.get(file) ?? file.representations.map(each => readyAnswer(file, each, status, settings))
    ready.set(file, answers)
    const { etag, whole, unchanged } = chooseEncoded(answers, header('accept-encoding'))
    return status === 200 && isUnchanged(header('if-none-match'), etag) ? unchanged : whole
  }
}

function readyAnswer(
  file: LoadedFile,
  { encoding, body, etag }: Representation,
  status: FileStatus,
  settings: LeadSettings,
): ReadyAnswer {
  // A variant belongs to one visitor, so shared caches must not store it.
  const pageCaching = file.variant ? 'private, no-cache' : 'no-cache'
  const caching = file.immutable ? 'public, max-age=31536000, immutable' : pageCaching
  const headers = {
    'content-type': file.type,
    // An error may be the answer to a URL with a lead in it, so it must not be cached.
    'cache-control': status === 500 ? 'no-store' : caching,
    // Range requests aren't worth it for files this small.
    'accept-ranges': 'none',
    etag,
    ...(file.encodings.length > 0 && { vary: 'accept-encoding' }),
    ...(file.inline && { 'content-security-policy': contentSecurityPolicy(file, settings) }),
  }
  const encoded = { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
  return {
    encoding,
    etag,
    whole: { status, headers: encoded, body, isReused: true },
    unchanged: { status: 304, headers, body: '', isReused: true },
  }
}

/** If-None-Match may list several tags, and weak ones match as well. */
function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}

/** The first acceptable one; `choices` are sorted by size. Plain bytes when the header rules everything out. */
export function chooseEncoded<Choice extends Pick<Representation, 'encoding'>>(
  choices: readonly Choice[],
  header = '',
): Choice {
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map(item => {
        const [name = '', ...parameters] = item.split(';').map(part => part.trim())
        const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
        return [name, weight === undefined ? 1 : Number(weight)] as const
      }),
  )
  const chosen =
    choices.find(({ encoding }) => encoding !== 'identity' && (weights.get(encoding) ?? weights.get('*') ?? 0) > 0) ??
    choices.find(({ encoding }) => encoding === 'identity')
  if (!chosen) throw new Error('Every file has its plain bytes.')
  return chosen
}
