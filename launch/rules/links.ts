/** Links in the built pages: our own must work, and pages on other sites must still exist. */
import { idOf, type LaunchFinding, type LaunchNote } from '../../domain/launch/findings.ts'
import { isExample } from '../../domain/launch/settings.ts'
import { attribute, type BuiltPage, type BuiltSite, type Element, elements, textOf } from '../page.ts'

type LinkedSite = BuiltSite & { readonly siteUrl: string }

const hrefOf = (link: Element) => attribute(link, 'href') ?? ''
const isWeb = ({ protocol }: URL) => /^https?:$/.test(protocol)

export function linkFindings(site: LinkedSite): readonly LaunchFinding[] {
  const found = site.pages.flatMap(page =>
    elements(page.root, 'a').flatMap((link): LaunchFinding[] => {
      const href = hrefOf(link)
      if (href === '' || href === '#') {
        const subject = attribute(link, 'aria-label') ?? textOf(link)
        return [{ code: 'link_without_destination', subject, change: { search: subject } }]
      }
      const detail = problemWith(href, page, site)
      return detail === null ? [] : [{ code: 'dead_link', subject: href, detail, change: { search: href } }]
    }),
  )
  // The same link may be on many pages.
  return [...new Map(found.map(finding => [idOf(finding), finding])).values()]
}

function problemWith(href: string, page: BuiltPage, { pages, otherPaths, siteUrl }: LinkedSite): string | null {
  const url = URL.parse(href, new URL(page.path ?? '/', siteUrl))
  if (url === null) return 'not a valid URL'
  if (/^(tel|mailto):$/.test(url.protocol)) return null
  if (!isWeb(url)) return `browsers don't open ${url.protocol} links`
  if (url.origin !== siteUrl) return isExample(url.href) ? 'an example address' : null
  // A fragment refers to its own page, even an error page, which has no path.
  const target = href.startsWith('#') ? page : pages.find(({ path }) => path === url.pathname)
  if (!target) return otherPaths.includes(url.pathname) ? null : 'no such page in the built site'
  const id = url.hash.slice(1)
  const isThere = id === '' || elements(target.root).some(element => attribute(element, 'id') === id)
  return isThere ? null : `the page has no element with the id ${id}`
}

/** Links to other sites, without duplicates. */
export function externalLinks({ pages, siteUrl }: Omit<LinkedSite, 'otherPaths'>): readonly string[] {
  const urls = pages.flatMap(({ root }) =>
    elements(root, 'a').flatMap(link => URL.parse(hrefOf(link), siteUrl)?.href.replace(/#.*/, '') ?? []),
  )
  return [...new Set(urls)].filter(url => isWeb(new URL(url)) && new URL(url).origin !== siteUrl)
}

export const notChecked = (url: string, reason: string): LaunchNote => ({
  id: `link_not_checked:${url}`,
  reason: `Not checked (${reason}). Open the link in a browser.`,
})

const TIMEOUT_MS = 10_000
/** Sites that block bots respond with these, but may still work in a browser. */
const BLOCKS_BOTS = new Set([401, 403, 405, 406, 429, 501])

/** Broken links are findings; links that can't be checked from here are notes. */
export async function checkExternalLinks(urls: readonly string[]) {
  const results = await Promise.all(urls.map(async url => ({ url, result: await fetchStatus(url) })))
  // If no site responds, this machine is probably offline.
  const isOnline = results.some(({ result }) => typeof result === 'number')
  const findings: LaunchFinding[] = []
  const notes: LaunchNote[] = []
  for (const { url, result } of results) {
    const isUnknown = typeof result === 'number' ? BLOCKS_BOTS.has(result) : !isOnline
    const reason = typeof result === 'number' ? `status ${result}` : `can’t be reached: ${result}`
    if (isUnknown) notes.push(notChecked(url, reason))
    else if (typeof result === 'string' || result >= 400) {
      findings.push({ code: 'dead_link', subject: url, detail: reason, change: { search: url } })
    }
  }
  return { findings, notes }
}

/** The status, or why there was no response. */
async function fetchStatus(url: string): Promise<number | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } }
    return cause?.code ?? name
  }
}
