/** Only our own pages may send leads, and only when a visitor pressed the button. */

type Header = (name: string) => string | undefined

const PURPOSES = ['sec-purpose', 'purpose', 'x-moz']
const PREFETCH = /\bprefetch\b/i

/** A browser that guesses where the visitor goes next must not send the form for them. */
export function isPrefetch(header: Header): boolean {
  // Asked for every page: most requests have none of them, and then there is nothing to search.
  for (const name of PURPOSES) {
    const purpose = header(name)
    if (purpose !== undefined && PREFETCH.test(purpose)) return true
  }
  return false
}

/** True when the browser says that another site, or nobody's page, sent it. Old browsers say nothing. */
export function isFromAnotherSite(header: Header): boolean {
  return (header('sec-fetch-site') ?? 'same-origin') !== 'same-origin'
}

/** Whether a URL's host is ours. */
export type IsOwnHost = (host: string) => boolean

/** Ours is the name of the public address; when the operator has set none, whichever the visitor's browser asked for. */
export function createOwnHosts(publicName: string | null): (header: Header) => IsOwnHost {
  if (publicName === null) return header => host => host !== '' && host === header('host')?.toLowerCase()
  return () => host => nameOf(host) === publicName
}

/**
 * Whether a lead came to us under our public name. Anybody can point a name of theirs at this server, and to a browser our pages
 * are then theirs. A proxy may have changed the Host header, but neither it nor another site changes Origin and Referer.
 */
export function isUnderOwnName(header: Header, publicName: string | null): boolean {
  if (publicName === null || nameOf(header('host') ?? '') === publicName) return true
  return ['origin', 'referer'].some(name => URL.parse(header(name) ?? '')?.hostname === publicName)
}

/** Without the port: a proxy in front may listen on another one, and may leave it out. */
function nameOf(host: string): string | null {
  return URL.parse(`http://${host}/`)?.hostname ?? null
}

/**
 * A plain form cannot carry a header of ours, as the script's request does. Where the browser does not say
 * Sec-Fetch-Site, its Origin or its Referer must be ours; no other site can forge these.
 */
export function isFormOfOwnPage(header: Header, isOwnHost: IsOwnHost): boolean {
  if (header('sec-fetch-site') !== undefined) return !isFromAnotherSite(header)
  const origin = header('origin')
  const sender = origin === undefined || origin === 'null' ? header('referer') : origin
  const url = URL.parse(sender ?? '')
  return url !== null && isOwnHost(url.host)
}
