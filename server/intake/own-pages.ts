/** Only our own pages may send leads, and only when a visitor pressed the button. */

type Header = (name: string) => string | undefined

/** A browser that guesses where the visitor goes next must not send the form for them. */
export function isPrefetch(header: Header): boolean {
  return ['sec-purpose', 'purpose', 'x-moz'].some(name => /\bprefetch\b/i.test(header(name) ?? ''))
}

/** True when the browser says that another site, or nobody's page, sent it. Old browsers say nothing. */
export function isFromAnotherSite(header: Header): boolean {
  return (header('sec-fetch-site') ?? 'same-origin') !== 'same-origin'
}

/** The hosts that are ours: the one that the visitor's browser asked for, and the public one when a proxy in front has changed it. */
export type IsOwnHost = (host: string) => boolean

export function createOwnHosts(siteUrl: string): (header: Header) => IsOwnHost {
  const publicHost = new URL(siteUrl).host
  return header => host => host !== '' && (host === publicHost || host === header('host')?.toLowerCase())
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
