/** Writes the finished site: every file with its compressed copies, and the manifest that the server reads. */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { getMimeType } from 'hono/utils/mime'
import { transform } from 'lightningcss'
import {
  type Encoding,
  type InlineHashes,
  MANIFEST_FILE,
  type SiteFile,
  type SiteManifest,
} from '../server/http/site-manifest.ts'
import { carryOver } from './carry-over.ts'

export interface SourceFile {
  readonly path: string | null
  readonly file: string
  readonly bytes: Buffer
  readonly sendsLeads?: boolean
  readonly variant?: SiteFile['variant'] | undefined
}

export interface AssetFile {
  readonly path: string
  readonly bytes: Buffer
}

/** A file whose name includes a hash of its content, so browsers can cache it forever. */
export function hashed(name: string, extension: string, bytes: Buffer): AssetFile {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
  return { path: `/assets/${name}-${hash}.${extension}`, bytes }
}

export const mediaTypeOf = (file: string) =>
  file.endsWith('.vcf') ? 'text/vcard; charset=utf-8' : (getMimeType(file) ?? 'application/octet-stream')

export type Compression = 'maximum' | 'fast'

const brotliQuality = { maximum: constants.BROTLI_MAX_QUALITY, fast: 4 }

/** Maximum compression, because each file is compressed only once, at build time. */
export const compressors: Readonly<Record<Encoding, (bytes: Buffer, compression?: Compression) => Buffer>> = {
  br: (bytes, compression = 'maximum') =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality[compression],
      },
    }),
  gzip: bytes => gzipSync(bytes, { level: 9 }),
}

/** Fonts and pictures are already compressed. */
const COMPRESSIBLE = /^(text\/|application\/(json|xml|manifest\+json)|image\/svg)/

export async function writeSite(
  folder: string,
  sources: readonly SourceFile[],
  settings: Omit<SiteManifest, 'files' | 'formerPaths'>,
  { compression, before }: { readonly compression: Compression; readonly before: string | null },
): Promise<void> {
  const files = await Promise.all(sources.map(source => writeFileAndCopies(folder, source, compression)))
  const manifest = carryOver({ ...settings, formerPaths: [], files }, folder, before)
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest satisfies SiteManifest, null, 2))
}

async function writeFileAndCopies(
  folder: string,
  { path, file, bytes, variant, sendsLeads = false }: SourceFile,
  compression: Compression,
): Promise<SiteFile> {
  const type = mediaTypeOf(file)
  const target = join(folder, file)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, bytes)
  const isCompressible = COMPRESSIBLE.test(type)
  if (isCompressible) {
    await writeFile(`${target}.br`, compressors.br(bytes, compression))
    await writeFile(`${target}.gz`, compressors.gzip(bytes))
  }
  return {
    path,
    file,
    type,
    encodings: isCompressible ? ['br', 'gzip'] : [],
    immutable: file.startsWith('assets/'),
    ...(sendsLeads ? { sendsLeads } : {}),
    ...(variant ? { variant } : {}),
    ...(type.startsWith('text/html') ? { inline: inlineHashes(bytes.toString()) } : {}),
  }
}

/** Hashes of a page's inline scripts and styles. The Content-Security-Policy allows only these. */
export function inlineHashes(html: string): InlineHashes {
  const hashesOf = (pattern: RegExp) =>
    [...html.matchAll(pattern)].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return {
    // 'self' covers scripts with a src; data blocks don't run, so the policy doesn't apply to them.
    scripts: hashesOf(/<script>(.*?)<\/script>/gs),
    styles: hashesOf(/<style\b[^>]*>(.*?)<\/style>/gs),
  }
}

/** Removes CSS rules the page doesn't use: classes that appear in neither its HTML nor its scripts. */
export function removeUnusedCss(html: string, scripts: string): string {
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
  const markup = html.replace(style, '').replaceAll('&amp;', '&')
  const words = new Set(`${markup} ${scripts}`.split(/[\s"'`<>]+/))
  const classes = [...style.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name.replaceAll('\\', ''))
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(style),
    minify: true,
    unusedSymbols: [...new Set(classes)].filter(name => !words.has(name)),
  })
  return html.replace(style, () => code.toString())
}
