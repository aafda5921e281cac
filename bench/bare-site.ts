/** Serves the built site with every script and every web font taken out of its pages: what HTML and CSS alone cost. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compressors } from '../build/output/compress.ts'
import { inlineHashes } from '../build/output/inline-hashes.ts'
import { BUILT } from '../build/site-build.ts'
import { MANIFEST_FILE, type SiteFile, type SiteManifest } from '../server/http/site-manifest.ts'
import { type SiteServer, startSite } from '../tests/support/site-server.ts'

/** A copy on disk goes through the same server as the site itself: same headers, same compression, same connection. */
export async function startBareSite(): Promise<SiteServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bare-site-'))
  try {
    const manifest = JSON.parse(await readFile(join(BUILT, MANIFEST_FILE), 'utf8')) as SiteManifest
    const files = await Promise.all(manifest.files.map(file => copy(file, folder)))
    await writeFile(join(folder, MANIFEST_FILE), JSON.stringify({ ...manifest, files }))
    return await startSite({ built: folder })
  } finally {
    // The server has read everything into memory by now.
    await rm(folder, { recursive: true })
  }
}

async function copy(entry: SiteFile, folder: string): Promise<SiteFile> {
  const { file, type } = entry
  const source = await readFile(join(BUILT, file))
  const bytes = type.startsWith('text/html') ? Buffer.from(bare(source.toString())) : source
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), bytes)
  await writeFile(join(folder, `${file}.br`), compressors.br(bytes))
  await writeFile(join(folder, `${file}.gz`), compressors.gzip(bytes))
  // The policy names the style by its hash: by that of the whole page, the browser would refuse the bare page's.
  return entry.inline ? { ...entry, inline: inlineHashes(bytes.toString()) } : entry
}

/** Stand-ins stay: they are fonts that the phone has, and cost nothing to fetch. */
function bare(html: string): string {
  return html
    .replaceAll(/<script\b.*?<\/script>/gs, '')
    .replaceAll(/<link [^>]*rel="modulepreload"[^>]*>/g, '')
    .replaceAll(/@font-face\{[^}]*url\([^}]*\}/g, '')
}
