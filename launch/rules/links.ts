/** Where the links of the built pages lead: into the site, where they must arrive, or to other sites. */
import type { LaunchFinding } from '../findings.ts'
import { type BuiltPage, type Element, elements, textOf } from '../page.ts'
import { isExample } from '../settings.ts'

interface Link {
  readonly page: BuiltPage
  readonly text: string
  readonly href: string | null
}

export function linkFindings(
  pages: readonly BuiltPage[],
  otherPaths: readonly string[],
  siteUrl: string,
): readonly LaunchFinding[] {
  const found = linksOf(pages).flatMap(link => linkFinding(link, pages, otherPaths, siteUrl) ?? [])
  // The same link stands on many pages.
  return [...new Map(found.map(finding => [`${finding.code} ${finding.subject}`, finding])).values()]
}

/** Links that leave the site, each once. */
export function externalLinks(pages: readonly BuiltPage[], siteUrl: string): readonly string[] {
  const urls = linksOf(pages).map(({ href }) => URL.parse(href ?? '', siteUrl))
  const leaving = urls.filter(url => url !== null && /^https?:$/.test(url.protocol) && url.origin !== siteUrl)
  return [...new Set(leaving.map(url => `${url?.origin}${url?.pathname}${url?.search}`))]
}

function linksOf(pages: readonly BuiltPage[]): readonly Link[] {
  return pages.flatMap(page =>
    elements(page.root, 'a').map(element => ({
      page,
      text: nameOfLink(element),
      href: element.attributes['href'] ?? null,
    })),
  )
}

const nameOfLink = (element: Element) => element.attributes['aria-label'] ?? textOf(element)

function linkFinding(
  { page, text, href }: Link,
  pages: readonly BuiltPage[],
  otherPaths: readonly string[],
  siteUrl: string,
): LaunchFinding | null {
  if (href === null || href === '' || href === '#') {
    return { code: 'link_without_destination', subject: text, change: { after: [`'${text}'`] } }
  }
  const url = URL.parse(href, new URL(page.path ?? '/', siteUrl))
  const dead = (detail: string): LaunchFinding => ({
    code: 'dead_link',
    subject: href,
    detail,
    change: { after: [href] },
  })
  if (url === null) return dead('it is not an address')
  if (url.protocol === 'tel:') return phoneFinding(text, href)
  if (url.protocol === 'mailto:')
    return /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(url.pathname) ? null : dead('it is no email address')
  if (!/^https?:$/.test(url.protocol)) return dead(`a browser does not open ${url.protocol} links`)
  if (url.origin !== siteUrl) return isExample(url.href) ? dead('it is an example') : null
  // A page that the server answers with by itself stands at whatever address was asked for.
  const target = href.startsWith('#') ? page : pages.find(({ path }) => path === url.pathname)
  if (!target) return otherPaths.includes(url.pathname) ? null : dead('there is no such page in the built site')
  const anchor = decoded(url.hash.slice(1))
  if (anchor === '' || elements(target.root).some(({ attributes }) => attributes['id'] === anchor)) return null
  return dead(`the page has no place that is called ${anchor}`)
}

/** A percent sign that stands for itself is no reason to fail. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Shown one number and dialing another, a link sends visitors to strangers. */
function phoneFinding(text: string, href: string): LaunchFinding | null {
  const shown = text.replaceAll(/\D/g, '').slice(-10)
  const dialed = href.replaceAll(/\D/g, '').slice(-10)
  if (shown.length < 10 || shown === dialed) return null
  return { code: 'phone_link_differs', subject: text, detail: href, change: { after: [shown.slice(-4)] } }
}
