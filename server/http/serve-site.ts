/** The pages and files of the site, by their addresses. */
import { forReading, type Handler, redirect } from './handler.ts'
import type { Site } from './load-site.ts'
import { serveFile } from './serve-file.ts'

export function createServeSite(site: Site): Handler {
  return forReading(request => {
    const { path, query } = request
    const file = site.byPath.get(path)
    if (file) return serveFile(request, file, site)
    const withoutSlash = withoutSlashesAtEnd(path)
    if (withoutSlash !== path && site.byPath.has(withoutSlash)) {
      return redirect(308, query === '' ? withoutSlash : `${withoutSlash}?${query}`)
    }
    return serveFile(request, site.notFound, site, 404)
  })
}

/** By hand: a regular expression tries again from every slash, which takes half a second for a path full of them. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
