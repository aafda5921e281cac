/** The pages and files of the site, by their addresses. */
import { forReading, type Handler, type HttpRequest, redirect } from './handler.ts'
import type { LoadedFile, Site } from './load-site.ts'
import type { ServeFile } from './serve-file.ts'

/** Told of every page that a visitor is answered with. */
export interface PageVisits {
  /** Which variant of it this visitor gets. */
  view(request: HttpRequest, page: LoadedFile): LoadedFile
}

export function createServeSite(site: Site, serveFile: ServeFile, visits?: PageVisits): Handler {
  return forReading(request => {
    const { path, query } = request
    const file = site.byPath.get(path)
    if (file) return serveFile(request, file.inline && visits ? visits.view(request, file) : file)
    const withoutSlash = withoutSlashesAtEnd(path)
    if (withoutSlash !== path && site.byPath.has(withoutSlash)) {
      return redirect(308, query === '' ? withoutSlash : `${withoutSlash}?${query}`)
    }
    return serveFile(request, site.notFound, 404)
  })
}

/** By hand: a regular expression tries again from every slash, which takes half a second for a path full of them. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
