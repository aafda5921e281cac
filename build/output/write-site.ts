/** Writes the finished site: every file with its compressed copies, and the manifest that the server reads. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { MANIFEST_FILE, type SiteFile, type SiteManifest } from '../../server/http/site-manifest.ts'
import { compressors, isCompressible } from './compress.ts'
import { inlineHashes } from './inline-hashes.ts'

export interface SourceFile {
  readonly path: string | null
  readonly file: string
  readonly bytes: Buffer
  readonly sendsLeads?: boolean
  readonly variant?: SiteFile['variant'] | undefined
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

export function mediaTypeOf(file: string): string {
  const type = types[extname(file)]
  if (type === undefined) throw new Error(`No media type is known for ${file}.`)
  return type
}

export async function writeSite(
  folder: string,
  sources: readonly SourceFile[],
  settings: Omit<SiteManifest, 'files'>,
): Promise<void> {
  const files = await Promise.all(sources.map(source => writeFileAndCopies(folder, source)))
  const manifest: SiteManifest = { ...settings, files }
  // Last, so that a build that was cut short is never taken for a whole one.
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest, null, 2))
}

export async function writeFileAndCopies(
  folder: string,
  { path, file, bytes, variant, sendsLeads = false }: SourceFile,
): Promise<SiteFile> {
  const type = mediaTypeOf(file)
  const target = join(folder, file)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, bytes)
  const compressible = isCompressible(type)
  if (compressible) {
    await writeFile(`${target}.br`, compressors.br(bytes))
    await writeFile(`${target}.gz`, compressors.gzip(bytes))
  }
  return {
    path,
    file,
    type,
    encodings: compressible ? ['br', 'gzip'] : [],
    immutable: file.startsWith('assets/'),
    ...(sendsLeads ? { sendsLeads } : {}),
    ...(variant ? { variant } : {}),
    ...(type.startsWith('text/html') ? { inline: inlineHashes(bytes.toString()) } : {}),
  }
}
