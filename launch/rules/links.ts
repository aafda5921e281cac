/** The links of the built pages: those into the site must arrive, and other sites are asked whether theirs still exist. */
import type { LaunchFinding } from '../findings.ts'
import { attribute, type BuiltPage, type BuiltSite, elements, textOf } from '../page.ts'
import { isExample } from '../settings.ts'

interface Link {
  readonly page: BuiltPage
  readonly text: string
  readonly href: string
}

type LinkedSite = BuiltSite & { readonly siteUrl: string }

export function linkFindings(site: LinkedSite): readonly LaunchFinding[] {
  const found = linksOf(site.pages).flatMap(link => linkFinding(link, site) ?? [])
  // The same link is on many pages.
  return [...new Map(found.map(finding => [`${finding.code} ${finding.subject}`, finding])).values()]
}

/** Links that leave the site, each once. */
export function externalLinks({ pages, siteUrl }: Omit<LinkedSite, 'otherPaths'>): readonly string[] {
  const urls = linksOf(pages).map(({ href }) => URL.parse(href, siteUrl))
  const leaving = urls.filter(url => url !== null && /^https?:$/.test(url.protocol) && url.origin !== siteUrl)
  return [...new Set(leaving.map(url => `${url?.origin}${url?.pathname}${url?.search}`))]
}

function linksOf(pages: readonly BuiltPage[]): readonly Link[] {
  return pages.flatMap(page =>
    elements(page.root, 'a').map(element => ({
      page,
      text: attribute(element, 'aria-label') ?? textOf(element),
      href: attribute(element, 'href') ?? '',
    })),
  )
}

function linkFinding({ page, text, href }: Link, { pages, otherPaths, siteUrl }: LinkedSite): LaunchFinding | null {
  if (href === '' || href === '#') {
    return { code: 'link_without_destination', subject: text, change: { after: [`'${text}'`] } }
  }
  const url = URL.parse(href, new URL(page.path ?? '/', siteUrl))
  if (url?.protocol === 'tel:') return phoneFinding(text, href)
  const fault = url === null ? 'it is not an address' : faultOf(url)
  return fault === null ? null : { code: 'dead_link', subject: href, detail: fault, change: { after: [href] } }

  function faultOf({ protocol, origin, pathname, hash, href: address }: URL): string | null {
    if (protocol === 'mailto:') return /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(pathname) ? null : 'it is not an email address'
    if (!/^https?:$/.test(protocol)) return `a browser does not open ${protocol} links`
    if (origin !== siteUrl) return isExample(address) ? 'it is an example' : null
    // An error page is shown at the requested address.
    const target = href.startsWith('#') ? page : pages.find(({ path }) => path === pathname)
    if (!target) return otherPaths.includes(pathname) ? null : 'there is no such page in the built site'
    const anchor = decoded(hash.slice(1))
    const isThere = anchor === '' || elements(target.root).some(element => attribute(element, 'id') === anchor)
    return isThere ? null : `the page has no element with the id ${anchor}`
  }
}

/** A stray percent sign is no reason to fail. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A link that shows one number and dials another sends visitors to strangers. */
function phoneFinding(text: string, href: string): LaunchFinding | null {
  const shown = text.replaceAll(/\D/g, '').slice(-10)
  const dialed = href.replaceAll(/\D/g, '').slice(-10)
  if (shown.length < 10 || shown === dialed) return null
  return { code: 'phone_link_differs', subject: text, detail: href, change: { after: [shown.slice(-4)] } }
}

export interface LinkVerdict {
  readonly url: string
  readonly verdict: 'alive' | 'dead' | 'unchecked'
  readonly reason: string
}

const TIMEOUT_MS = 10_000
/** Sites that let people in, but not programs. */
const REFUSES_PROGRAMS = new Set([401, 403, 405, 406, 429, 501])

export async function checkExternalLinks(urls: readonly string[]): Promise<readonly LinkVerdict[]> {
  const answers = await Promise.all(urls.map(async url => ({ url, answer: await ask(url) })))
  // Without any connection, nothing is known about the links.
  const isOnline = answers.some(({ answer }) => typeof answer === 'number')
  return answers.map(({ url, answer }) => {
    if (typeof answer === 'string' && isOnline) {
      return { url, verdict: 'dead', reason: `can’t be reached (${answer})` }
    }
    if (typeof answer === 'string') {
      return { url, verdict: 'unchecked', reason: `no other site can be reached from here (${answer})` }
    }
    if (answer < 400) return { url, verdict: 'alive', reason: '' }
    const verdict = REFUSES_PROGRAMS.has(answer) ? 'unchecked' : 'dead'
    return { url, verdict, reason: `status ${answer}` }
  })
}

/** The status, or why there was no response. */
async function ask(url: string, method = 'HEAD'): Promise<number | string> {
  try {
    const response = await fetch(url, { method, redirect: 'follow', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body?.cancel()
    // Some sites answer only to what a browser sends.
    return response.status >= 400 && method === 'HEAD' ? ask(url, 'GET') : response.status
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } }
    return cause?.code ?? name
  }
}
