/** Reads everything in a lead request except the contact fields: page, campaign, and whether one of our pages sent it. */
import { campaignParameters } from '../../domain/campaigns/campaign.ts'
import { isStorable, oneLine } from '../../domain/text/text.ts'
import { PREVIEW, VARIANT_NAME, VARIANT_PARAMETER } from '../../domain/visits/variants.ts'
import { type HttpRequest, type HttpResponse, TEXT_LIMIT } from '../http/handler.ts'
import type { Site } from '../http/site.ts'
import type { Config } from '../settings/config.ts'
import type { Submission } from '../store/operations/leads/capture.ts'
import type { Availability } from './availability.ts'

export interface ReaderServices {
  readonly config: Pick<Config, 'publicHostname' | 'campaignParameters'>
  readonly site: () => Pick<Site, 'trustedForm' | 'copy'>
  readonly availability: Pick<Availability, 'isKnown' | 'shown' | 'languageOf'>
  readonly now: () => number
}

export type Facts = Omit<
  Submission,
  'clientAddress' | 'userAgent' | 'holdReason' | 'deliver' | 'announceRepeat' | 'callFromDesk'
>

export interface Refusal {
  readonly status: 400 | 403 | 413 | 414 | 415 | 429 | 503
  readonly message: string
  readonly headers?: HttpResponse['headers']
}

export interface ReadLead {
  readonly facts: Facts
  /** Fields that the visitor was asked about (domain/contact/plausibility.ts) and sent again. */
  readonly confirmed: readonly string[]
}

/** `response` means the request isn't a lead: a field is invalid, or the visitor isn't eligible. */
export type ReadResult = ReadLead | { readonly refusal: Refusal } | { readonly response: HttpResponse }

export type ReadRequest = (request: HttpRequest) => Promise<ReadResult>

export function refuse(status: Refusal['status'], message: string, headers: HttpResponse['headers'] = {}): ReadResult {
  return { refusal: { status, message, headers } }
}

/** Our forms have about twenty fields. Parsing thousands of empty ones would take longer than storing a lead. */
const MAX_FIELDS = 64

export const UNSTORABLE = 'The request has characters that can’t be stored.'

/** The fields, or the status to refuse them with. */
export function parseFields(text: string): URLSearchParams | 400 | 413 {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) return 413
  const fields = new URLSearchParams(text)
  return isStorable([...fields]) ? fields : 400
}

/** If a name is repeated, the first value wins. */
export function firstValues(fields: URLSearchParams): Readonly<Record<string, string>> {
  // No prototype, because visitors choose the names.
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of fields) values[name] ??= value
  return values
}

export interface LeadSource {
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
}

const UNKNOWN_PAGE = 'unknown'

const VALUE_LIMIT = 200
/** Size as JSON. Keeps made-up URLs from filling the disk. */
const MAX_CAMPAIGN_BYTES = 1024
const UTM_PARAMETER = /^utm_\w{1,50}$/

/** Trusts the variant that the page reports: the assignment can change at midnight or with the IP address. Marks previews. */
export function readVariant(reported = '', referer = ''): string {
  const name = reported.replace(PREVIEW, '')
  if (!VARIANT_NAME.test(name)) return ''
  const isPreview = reported !== name || URL.parse(referer)?.searchParams.get(VARIANT_PARAMETER) === name
  return isPreview ? `${PREVIEW}${name}` : name
}

export function leadSource(
  referer: string | undefined,
  isOwnHost: (host: string) => boolean,
  extraParameters: readonly string[] = [],
): LeadSource {
  const url = referer ? URL.parse(referer) : null
  if (!url || !isOwnHost(url.host)) return { page: UNKNOWN_PAGE, campaign: {} }
  return { page: url.pathname.slice(0, VALUE_LIMIT), campaign: readCampaign(url.search.slice(1), extraParameters) }
}

/** `extraParameters`: additional parameters that the operator wants to keep. Reads as much of the query as of any other. */
export function readCampaign(query: string, extraParameters: readonly string[] = []): LeadSource['campaign'] {
  const campaign: Record<string, string> = {}
  let bytes = '{}'.length
  for (const [name, value] of new URLSearchParams(query.slice(0, TEXT_LIMIT))) {
    const isKept = UTM_PARAMETER.test(name) || campaignParameters.includes(name) || extraParameters.includes(name)
    if (!isKept || Object.hasOwn(campaign, name)) continue
    // Reading the rest of a made-up URL would only take time.
    if (bytes + name.length + '"":"",'.length >= MAX_CAMPAIGN_BYTES) continue
    const clean = oneLine(value).slice(0, VALUE_LIMIT).toWellFormed()
    const more = Buffer.byteLength(JSON.stringify({ [name]: clean })) - 1
    if (clean === '' || bytes + more > MAX_CAMPAIGN_BYTES) continue
    campaign[name] = clean
    bytes += more
  }
  return campaign
}

/** So that the campaign isn't lost if the visitor goes back to the questions. */
export function withCampaign(path: string, campaign: LeadSource['campaign']): string {
  const query = new URLSearchParams(campaign).toString()
  return query === '' ? path : `${path}?${query}`
}

type Header = (name: string) => string | undefined

const PURPOSES = ['sec-purpose', 'purpose', 'x-moz']
const PREFETCH = /\bprefetch\b/i

/** A prefetching browser must not submit the form for the visitor. */
export function isPrefetch(header: Header): boolean {
  return PURPOSES.some(name => PREFETCH.test(header(name) ?? ''))
}

/** True if the browser reports that another site, or no page, sent the request. Old browsers don't report it. */
export function isFromAnotherSite(header: Header): boolean {
  return (header('sec-fetch-site') ?? 'same-origin') !== 'same-origin'
}

/** Whether a URL's host is ours. */
export type IsOwnHost = (host: string) => boolean

/** Our hostname is the one in SITE_URL or, if that isn't set, the one the visitor's browser requested. */
export function createOwnHosts(publicHostname: string | null): (header: Header) => IsOwnHost {
  if (publicHostname === null) return header => host => host !== '' && host === header('host')?.toLowerCase()
  return () => host => hostnameOf(host) === publicHostname
}

/**
 * Whether a lead was sent to our public hostname. Anyone can point another hostname at this server and pass off our pages as
 * theirs. A proxy may change the Host header, but not Origin and Referer.
 */
export function isSentToOurHostname(header: Header, publicHostname: string | null): boolean {
  if (publicHostname === null || hostnameOf(header('host') ?? '') === publicHostname) return true
  return ['origin', 'referer'].some(name => URL.parse(header(name) ?? '')?.hostname === publicHostname)
}

/** Drops the port, because a proxy may use a different one or leave it out. */
function hostnameOf(host: string): string | null {
  return URL.parse(`http://${host}/`)?.hostname ?? null
}

/**
 * A plain form can't send a custom header like the script does. Without Sec-Fetch-Site, the Origin or Referer must be ours; other
 * sites can't forge those.
 */
export function isFromOwnPage(header: Header, isOwnHost: IsOwnHost): boolean {
  if (header('sec-fetch-site') !== undefined) return !isFromAnotherSite(header)
  const origin = header('origin')
  const sender = origin === undefined || origin === 'null' ? header('referer') : origin
  const url = URL.parse(sender ?? '')
  return url !== null && isOwnHost(url.host)
}
