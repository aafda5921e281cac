/** Serves the built site from memory, with ETags. No request waits for the disk. */
import { createHash } from 'node:crypto'
import { ENGLISH, fileIn, languageOfPath, pathWithoutLanguage } from '../../domain/languages.ts'
import { BUILD_SITE } from '../settings/leads-command.ts'
import { type Handler, type HttpRequest, type HttpResponse, readOnly, redirect, withQuery } from './handler.ts'
import { ASSET_POLICY, contentSecurityPolicy, type LeadSettings } from './security-headers.ts'
import { readSiteFile, SiteUnusable } from './site-files.ts'
import {
  type Encoding,
  extensions,
  MANIFEST_FILE,
  ownPageFiles,
  type SiteFile,
  type SiteManifest,
} from './site-manifest.ts'

/** One encoding of a file, plain or compressed. Each needs its own ETag. */
interface Representation {
  readonly encoding: Encoding | 'identity'
  readonly body: Uint8Array<ArrayBuffer>
  readonly etag: string
}

export interface LoadedFile extends SiteFile {
  /** Smallest first. */
  readonly representations: readonly Representation[]
}

export interface Site extends Omit<SiteManifest, 'files'> {
  readonly byPath: ReadonlyMap<string, LoadedFile>
  /** Keyed by path: the page itself and its variants. */
  readonly variants: ReadonlyMap<string, readonly LoadedFile[]>
  /** Pages without a path, by language. */
  readonly ownPages: ReadonlyMap<string, OwnPages>
}

export type OwnPages = Readonly<Record<keyof typeof ownPageFiles, LoadedFile>>

/** In this language or, if the site doesn't speak it, in English. */
export const ownPagesIn = ({ ownPages }: Pick<Site, 'ownPages'>, language: string): OwnPages =>
  (ownPages.get(language) ?? ownPages.get(ENGLISH)) as OwnPages

/** `folder` is a real path. */
export function loadSite(folder: string): Site {
  const { files: listed, ...manifest } = readManifest(folder)
  const files = listed.map(file => loadFile(folder, file))
  return {
    ...manifest,
    byPath: new Map(files.flatMap(file => (file.path === null ? [] : [[file.path, file] as const]))),
    variants: Map.groupBy(
      files.filter(({ variant }) => variant !== undefined),
      ({ variant }) => variant?.of ?? '',
    ),
    ownPages: new Map(Object.keys(manifest.copy.languages).map(language => [language, findOwnPages(files, language)])),
  }
}

export function readManifest(folder: string): SiteManifest {
  let manifest: Partial<SiteManifest>
  try {
    manifest = JSON.parse(readSiteFile(folder, MANIFEST_FILE).toString())
  } catch {
    // Missing or incomplete. The build writes it last.
    throw new SiteUnusable(`The site is not built. Run \`${BUILD_SITE}\` first.`)
  }
  const { copy, formerPaths } = manifest
  if ([copy?.languages, copy?.calls, formerPaths].includes(undefined)) {
    throw new SiteUnusable(`The site was built by an older version of this program. Run \`${BUILD_SITE}\`.`)
  }
  return manifest as SiteManifest
}

function loadFile(folder: string, file: SiteFile): LoadedFile {
  const load = (encoding: Representation['encoding'], extension: string): Representation => {
    const body = new Uint8Array(readSiteFile(folder, file.file + extension))
    return { encoding, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
  }
  const compressed = file.encodings.map(encoding => load(encoding, extensions[encoding]))
  const representations = [...compressed, load('identity', '')].sort((a, b) => a.body.length - b.body.length)
  return { ...file, representations }
}

function findOwnPages(files: readonly LoadedFile[], language: string): OwnPages {
  const pages = Object.entries(ownPageFiles).map(([page, name]) => {
    const file = files.find(each => each.file === fileIn(language, name))
    if (!file) throw new Error(`The built site has no ${fileIn(language, name)}.`)
    return [page, file]
  })
  return Object.fromEntries(pages)
}

const uncompressed = <Choice extends Pick<Representation, 'encoding'>>(choices: readonly Choice[]): Choice =>
  choices.find(({ encoding }) => encoding === 'identity') as Choice

export function textOf({ representations }: LoadedFile): string {
  return new TextDecoder().decode(uncompressed(representations).body)
}

/** `view` counts the page view and picks the visitor's variant. */
export function createServeSite(
  site: Site,
  serveFile: ServeFile,
  view = (_: HttpRequest, page: LoadedFile) => page,
): Handler {
  return readOnly(request => {
    const { path } = request
    const file = site.byPath.get(path)
    if (file) return serveFile(request, file.inline ? view(request, file) : file)
    // As people type an address that they saw on television, and as links end.
    const page = withoutTrailingSlashes(path).toLowerCase()
    // The home page in another language is a folder: `/es/`.
    const places = [page, `${page}/`]
    const meant = places.find(each => each !== path && site.byPath.has(each))
    if (meant !== undefined && meant !== '/') return redirect(308, withQuery(meant, request))
    // Ads and open forms still lead to a page that was taken away. It may come back, so browsers don't keep the redirect.
    if (places.some(each => site.formerPaths.includes(each))) {
      const english = pathWithoutLanguage(path)
      return redirect(307, withQuery(site.byPath.has(english) ? english : '/', request))
    }
    return serveFile(request, ownPagesIn(site, languageOfPath(path)).notFound, 404)
  })
}

/** A regular expression would take half a second on a path full of slashes. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

export type ServeFile = (request: HttpRequest, file: LoadedFile, status?: FileStatus) => HttpResponse

type FileStatus = 200 | 404 | 500

interface ReadyResponse extends Pick<Representation, 'encoding' | 'etag'> {
  readonly whole: HttpResponse
  readonly unchanged: HttpResponse
}

/** Builds the few possible responses for a file once, not for every visitor. A file is always served with the same status. */
export function createServeFile(settings: LeadSettings): ServeFile {
  const ready = new Map<LoadedFile, readonly ReadyResponse[]>()
  return ({ header }, file, status = 200) => {
    const responses = ready.get(file) ?? file.representations.map(each => readyResponse(file, each, status, settings))
    ready.set(file, responses)
    const { etag, whole, unchanged } =
      responses.find(({ encoding }) => accepts(header('accept-encoding'), encoding)) ?? uncompressed(responses)
    return status === 200 && isUnchanged(header('if-none-match'), etag) ? unchanged : whole
  }
}

function readyResponse(
  file: LoadedFile,
  { encoding, body, etag }: Representation,
  status: FileStatus,
  settings: LeadSettings,
): ReadyResponse {
  // A variant belongs to one visitor, so shared caches must not store it.
  const pageCaching = file.variant ? 'private, no-cache' : 'no-cache'
  const caching = file.immutable ? 'public, max-age=31536000, immutable' : pageCaching
  const headers = {
    'content-type': file.type,
    // A failed request's URL may contain a lead, so its error page must not be cached.
    'cache-control': status === 500 ? 'no-store' : caching,
    // Range requests aren't worth it for files this small.
    'accept-ranges': 'none',
    etag,
    ...(file.encodings.length > 0 && { vary: 'accept-encoding' }),
    ...(file.inline && { 'content-security-policy': contentSecurityPolicy(file, settings) }),
    ...(file.immutable && { 'content-security-policy': ASSET_POLICY }),
  }
  const encoded = { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
  return {
    encoding,
    etag,
    whole: { status, headers: encoded, body, isReused: true },
    unchanged: { status: 304, headers, body: '', isReused: true },
  }
}

/** If-None-Match can list multiple tags, and weak ones match too. */
function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}

/** Only a weight of 0 matters, because our encodings are sorted by size. */
function accepts(header = '', encoding: string): boolean {
  return header.split(',').some(item => {
    const [name = '', weight = ''] = item.toLowerCase().split(';')
    return name.trim() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(weight)
  })
}
