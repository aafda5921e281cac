/**
 * Makes the site's pages report uncaught errors to the test's server. WebKit's driver doesn't tell of them, and no other driver
 * sees what happens before it's attached to a page.
 */
import { inlineHashes } from '../../publish/output.ts'
import { type LoadedFile, type Site, textOf } from '../../server/http/site.ts'
import { PAGE_ERRORS } from '../support/site-server.ts'

const script = `<script>
  addEventListener('error', ({ message }) => message && navigator.sendBeacon('${PAGE_ERRORS}', message))
  addEventListener('unhandledrejection', ({ reason }) => navigator.sendBeacon('${PAGE_ERRORS}', String(reason)))
</script>`

function reportingPage(file: LoadedFile): LoadedFile {
  if (!file.inline) return file
  const html = textOf(file).replace('<head>', `<head>${script}`)
  const etag = `${file.representations[0]?.etag.slice(0, -1)}-reporting"`
  const body = new TextEncoder().encode(html)
  return { ...file, inline: inlineHashes(html), representations: [{ encoding: 'identity', body, etag }] }
}

export function reportErrors(site: Site): Site {
  const byPath = new Map([...site.byPath].map(([path, file]) => [path, reportingPage(file)]))
  const variants = new Map([...site.variants].map(([path, files]) => [path, files.map(reportingPage)]))
  return { ...site, byPath, variants }
}
