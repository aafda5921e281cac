/**
 * Writes the site for a static host or a CDN: folder-style paths, a 404 page, and the headers that our server would
 * send, in the `_headers` file that such hosts read. Leaves out templates and pages that only our server can fill in.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ASSET_POLICY, contentSecurityPolicy, securityHeaders } from '../server/http/security-headers.ts'
import { ownPageFiles } from '../server/http/site-manifest.ts'
import type { Config } from '../server/settings/config.ts'
import { inlineHashes, type SourceFile } from './output.ts'

const NOT_FOUND_PAGE = '404.html'

export async function writeStaticSite(folder: string, sources: readonly SourceFile[], config: Config): Promise<void> {
  for (const source of sources) {
    const { path, file, bytes } = source
    if (path !== null) await write(join(folder, isPage(source) ? indexOf(path) : path.slice(1)), bytes)
    else if (basename(file) === ownPageFiles.notFound)
      await write(join(folder, dirname(file), NOT_FOUND_PAGE), withPolicy(bytes.toString(), policyOf(source, config)))
  }
  await write(join(folder, '_headers'), headersFile(sources, config))
  await write(join(folder, '_redirects'), '/index.html / 301\n')
}

const isPage = ({ file }: SourceFile) => file.endsWith('.html')

/** `/advertorial` becomes a folder with an index.html, which every host supports. */
const indexOf = (path: string) => join(path.slice(1), 'index.html')

const policyOf = ({ bytes, sendsLeads = false }: SourceFile, config: Config) =>
  contentSecurityPolicy({ sendsLeads, inline: inlineHashes(bytes.toString()) }, config)

/** No rule in `_headers` can match every missing path, so this page includes its own policy. */
function withPolicy(html: string, policy: string): string {
  // frame-ancestors works only as a header; in a page, browsers ignore it and log an error.
  const known = policy.split('; ').filter(directive => !directive.startsWith('frame-ancestors'))
  const meta = `<meta http-equiv="Content-Security-Policy" content="${known.join('; ')}">`
  return html.replace('<meta charSet="utf-8"/>', charset => charset + meta)
}

/** One rule per page: if two match, hosts send both policies, and browsers allow only what both allow. */
function headersFile(sources: readonly SourceFile[], config: Config): string {
  const everywhere = rule('/*', securityHeaders(config))
  const pages = sources.flatMap(source => {
    const { path } = source
    if (path === null || !isPage(source)) return []
    const headers = { 'content-security-policy': policyOf(source, config), 'cache-control': 'no-cache' }
    return path.endsWith('/') ? [rule(path, headers)] : [rule(path, headers), rule(`${path}/`, headers)]
  })
  const assets = rule('/assets/*', {
    'content-security-policy': ASSET_POLICY,
    'cache-control': 'public, max-age=31536000, immutable',
  })
  return [everywhere, ...pages, assets].join('\n')
}

function rule(path: string, headers: Readonly<Record<string, string>>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
}

async function write(file: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}
