/** The hashes by which the Content-Security-Policy allows a page's own inline scripts and styles, and no others. */
import { createHash } from 'node:crypto'
import type { InlineHashes } from '../../server/http/site-manifest.ts'

export function inlineHashes(html: string): InlineHashes {
  return {
    // Scripts with a source are covered by 'self'; blocks of data are not run, so no policy applies to them.
    scripts: hashesOf(html, /<script>(.*?)<\/script>/gs),
    styles: hashesOf(html, /<style\b[^>]*>(.*?)<\/style>/gs),
  }
}

function hashesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
}
