/** What stands between the site and the public: what can be found, and which of it is open on a given day. */

/** Everything that the launch check can find, worst first: what is unlawful, what loses leads or their proof, the rest. */
export const launchCodes = [
  'sample_testimonial',
  'testimonial_without_permission',
  'unlisted_testimonial',
  'affiliation_notice_missing',
  'affiliation_notice_illegible',
  'advertorial_label_missing',
  'advertorial_label_illegible',
  'consent_missing',
  'consent_without_seller',
  'consent_without_opt_out',
  'consent_without_no_purchase',
  'scarcity_without_evidence',
  'claim_without_basis',
  'unlisted_claim',
  'figure_expired',
  'figure_not_yet_true',
  'figure_without_source',
  'temporary_store',
  'no_webhook',
  'webhook_unencrypted',
  'leads_bypass_record',
  'no_public_address',
  'example_address',
  'site_out_of_date',
  'no_trusted_proxy',
  'proxy_trusts_everybody',
  'trusted_form_off',
  'no_alert_address',
  'legal_draft',
  'placeholder_text',
  'dead_link',
  'phone_link_differs',
  'link_without_destination',
] as const

export type LaunchCode = (typeof launchCodes)[number]

/** Where to change it: what to look for, one thing after the other, in a setting, in one file or anywhere in content/. */
export type ChangeAt = { readonly setting: string } | { readonly file?: string; readonly after: readonly string[] }

export interface LaunchFinding {
  readonly code: LaunchCode
  /** The figure, the person, the page or the link that it is about. With the code, it names the finding. */
  readonly subject: string
  /** What the sentence about it needs besides. */
  readonly detail?: string
  /** The day from which it holds, such as 2027-01-01; without one it holds now. */
  readonly from?: string
  /** The last day on which it holds; without one it holds until something is changed. */
  readonly to?: string
  readonly change: ChangeAt
}

/** As much of a finding as a running server needs. */
export type LaunchPoint = Omit<LaunchFinding, 'change'>

export const idOf = ({ code, subject }: Pick<LaunchFinding, 'code' | 'subject'>) => `${code}:${subject}`

export function openOn<Point extends LaunchPoint>(points: readonly Point[], today: string): readonly Point[] {
  return worstFirst(
    points.filter(({ from, to }) => (from === undefined || from <= today) && (to === undefined || today <= to)),
  )
}

/** What is not open yet, but will be within so many days. */
export function soonOn<Point extends LaunchPoint>(
  points: readonly Point[],
  today: string,
  days: number,
): readonly Point[] {
  const last = dayAfter(today, days)
  return points.filter(({ from }) => from !== undefined && from > today && from <= last)
}

/** YYYY-MM-DD, and a day that exists. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).getUTCDate() === Number(text.slice(8))
}

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

function worstFirst<Point extends LaunchPoint>(points: readonly Point[]): readonly Point[] {
  const rank = ({ code }: Point) => launchCodes.indexOf(code)
  return points.toSorted((one, other) => rank(one) - rank(other))
}
