/** Everything the launch check can find: who fixes it, and one sentence that says what is wrong and why it matters. */
import { dayAfter } from '../domain/calendar-day.ts'

interface Kind {
  readonly group: 'lawyer' | 'marketing' | 'settings'
  /** For one finding or for several with the same cause. */
  readonly sentence: (found: readonly LaunchPoint[]) => string
}

const subjects = (found: readonly LaunchPoint[]) => found.map(({ subject }) => subject).join(', ')
const details = (found: readonly LaunchPoint[]) => found.map(({ detail }) => detail ?? '').join(', ')
const quoted = (found: readonly LaunchPoint[]) => found.map(({ detail }) => `“${detail ?? ''}”`).join(', ')
const figures = (found: readonly LaunchPoint[], holds: (point: LaunchPoint) => string) =>
  found
    .map(point => {
      const [shown, note] = (point.detail ?? '').split('\n')
      return `${point.subject} (${shown}) ${holds(point)}.${note ? ` ${note}` : ''}`
    })
    .join(' ')

/** Worst first: what is unlawful, what loses leads or their proof, the rest. */
const kinds = {
  sample_testimonial: {
    group: 'lawyer',
    sentence: found =>
      `Sample testimonials are shown: ${subjects(found)}. A testimonial that nobody gave is unlawful (16 CFR 465.2).`,
  },
  testimonial_without_permission: {
    group: 'lawyer',
    sentence: found =>
      `No permission on record for the testimonials of ${subjects(found)}. Note when it was given and where it is kept (16 CFR 465.2).`,
  },
  unlisted_testimonial: {
    group: 'lawyer',
    sentence: found =>
      `Quotes that are not in content/testimonials.ts: ${quoted(found)} on ${subjects(found)}. Nobody can say who said them.`,
  },
  affiliation_notice_missing: {
    group: 'lawyer',
    sentence: found =>
      `Missing on ${subjects(found)}: the notice that the site is not affiliated with the Social Security Administration or any government agency (42 USC 1320b-10).`,
  },
  advertorial_label_missing: {
    group: 'lawyer',
    sentence: found =>
      `${subjects(found)} reads like an article and doesn't start with a label that says it is an ad (15 USC 45; FTC policy, 81 FR 22596).`,
  },
  consent_missing: {
    group: 'lawyer',
    sentence: found =>
      `The form on ${subjects(found)} asks for a phone number without a consent text (47 CFR 64.1200(a)(2)).`,
  },
  consent_without_seller: {
    group: 'lawyer',
    sentence: () => "The consent doesn't name the organization that may call (47 CFR 64.1200(f)(9)).",
  },
  consent_without_opt_out: {
    group: 'lawyer',
    sentence: () =>
      "The consent doesn't say how to opt out: name STOP, and say that consent can be withdrawn (47 CFR 64.1200(a)(10)).",
  },
  consent_without_no_purchase: {
    group: 'lawyer',
    sentence: () =>
      "The consent doesn't say that it is not required to obtain any good or service (47 CFR 64.1200(f)(9)(i)(B)).",
  },
  scarcity_without_evidence: {
    group: 'lawyer',
    sentence: found =>
      `${quoted(found)} needs a figure in content/figures.ts with a source and an end date. A shortage that doesn't exist deceives people (15 USC 45).`,
  },
  claim_without_basis: {
    group: 'lawyer',
    sentence: found =>
      `Claims without support: ${quoted(found)}. Write in content/claims.ts what proves each one, or remove it (15 USC 45).`,
  },
  unlisted_claim: {
    group: 'lawyer',
    sentence: found => `Claims that content/claims.ts doesn't list: ${details(found)} (15 USC 45).`,
  },
  legal_draft: {
    group: 'lawyer',
    sentence: found =>
      `Legal pages that are drafts or missing, so their links lead nowhere: ${subjects(found)}. Complete them with your lawyer.`,
  },
  figure_expired: {
    group: 'marketing',
    sentence: found =>
      `Figures out of date: ${figures(found, ({ from }) => (from === undefined ? 'has an end date that is not a date such as 2026-12-31' : `was true until ${dayAfter(from, -1)}`))}`,
  },
  figure_not_yet_true: {
    group: 'marketing',
    sentence: found => `Figures shown too early: ${figures(found, ({ to }) => `is true from ${dayAfter(to ?? '')}`)}`,
  },
  figure_without_source: {
    group: 'marketing',
    sentence: found => `Figures without a source: ${figures(found, () => 'has none')}`,
  },
  organization_as_delivered: {
    group: 'marketing',
    sentence: found => `Still as delivered: ${details(found)}. Put in your organization's own.`,
  },
  organization_incomplete: {
    group: 'marketing',
    sentence: found => `Visitors can't see your ${details(found)}. People trust a call from someone they can place.`,
  },
  placeholder_text: {
    group: 'marketing',
    sentence: found => `Text that was never filled in: ${quoted(found)} on ${subjects(found)}.`,
  },
  dead_link: {
    group: 'marketing',
    sentence: found => `Broken links: ${found.map(({ subject, detail }) => `${subject} (${detail})`).join(', ')}.`,
  },
  phone_link_differs: {
    group: 'marketing',
    sentence: found =>
      `Links that dial a different number: ${found.map(({ subject, detail }) => `“${subject}” dials ${detail}`).join(', ')}.`,
  },
  link_without_destination: {
    group: 'marketing',
    sentence: found => `Links without a destination: ${found.map(({ subject }) => `“${subject}”`).join(', ')}.`,
  },
  temporary_store: {
    group: 'settings',
    sentence: found => `Leads would be lost: ${details(found)}. Set DATA_DIR to a folder on a permanent disk.`,
  },
  no_webhook: {
    group: 'settings',
    sentence: () => 'LEAD_WEBHOOK_URL is not set: leads are stored, but nobody receives them.',
  },
  webhook_unencrypted: {
    group: 'settings',
    sentence: found => `${subjects(found)} uses http: names and phone numbers would travel unencrypted.`,
  },
  leads_bypass_record: {
    group: 'settings',
    sentence: () =>
      'SITE_LEAD_ENDPOINT sends leads straight to another address: no consent is recorded here, which the Telemarketing Sales Rule requires (16 CFR 310.5).',
  },
  no_public_address: {
    group: 'settings',
    sentence: found => `SITE_URL is not a public https address: ${details(found)}.`,
  },
  example_address: {
    group: 'settings',
    sentence: found =>
      `Still the example's address: ${found.map(({ subject, detail }) => `${subject}=${detail}`).join(', ')}.`,
  },
  site_out_of_date: { group: 'settings', sentence: found => `${details(found)} Run npm run build.` },
  no_trusted_proxy: {
    group: 'settings',
    sentence: () =>
      'TRUST_PROXY is not set: behind the https proxy every visitor looks like the same person, and their leads are held.',
  },
  proxy_trusts_everybody: {
    group: 'settings',
    sentence: () => 'TRUST_PROXY trusts every address: any visitor can fake theirs, and the rate limits are useless.',
  },
  trusted_form_off: {
    group: 'settings',
    sentence: found =>
      `TRUSTEDFORM is ${details(found)}: there is no independent record of what a visitor saw and agreed to.`,
  },
  no_alert_address: {
    group: 'settings',
    sentence: () => 'ALERT_WEBHOOK_URL is not set: nobody is notified when deliveries fail.',
  },
  no_time_zone: {
    group: 'settings',
    sentence: () => "TIME_ZONE is not set: days and times follow this machine's clock, not your office's.",
  },
} as const satisfies Record<string, Kind>

export type LaunchCode = keyof typeof kinds

/** Where to change it: texts to look for, one after the other, in one file or anywhere in content/; or a setting. */
export type ChangeAt = { readonly setting: string } | { readonly file?: string; readonly after: readonly string[] }

export interface LaunchFinding {
  readonly code: LaunchCode
  /** The figure, person, page or link it is about. Code and subject together name the finding. */
  readonly subject: string
  readonly detail?: string
  /** The first day it applies, such as 2027-01-01; without one it applies now. */
  readonly from?: string
  /** The last day it applies. */
  readonly to?: string
  readonly change: ChangeAt
}

/** As much of a finding as a running server needs. */
export type LaunchPoint = Omit<LaunchFinding, 'change'>

export const groupOf = ({ code }: Pick<LaunchPoint, 'code'>): Kind['group'] => kinds[code].group

/** An older build may have noted codes that this version doesn't know. */
export const isKnown = ({ code }: { readonly code: string }): boolean => Object.hasOwn(kinds, code)

/** One sentence for findings with the same code. */
export function sentenceOf(...found: readonly LaunchPoint[]): string {
  const [first] = found
  return first === undefined ? '' : kinds[first.code].sentence(found)
}

export const idOf = ({ code, subject }: Pick<LaunchFinding, 'code' | 'subject'>) => `${code}:${subject}`

export function openOn<Point extends LaunchPoint>(points: readonly Point[], today: string): readonly Point[] {
  const rank = Object.fromEntries(Object.keys(kinds).map((code, index) => [code, index]))
  return points
    .filter(({ from, to }) => (from === undefined || from <= today) && (to === undefined || today <= to))
    .toSorted((one, other) => (rank[one.code] ?? 0) - (rank[other.code] ?? 0))
}

/** Not open yet, but within this many days. */
export function soonOn<Point extends LaunchPoint>(
  points: readonly Point[],
  today: string,
  days: number,
): readonly Point[] {
  const last = dayAfter(today, days)
  return points.filter(({ from }) => from !== undefined && from > today && from <= last)
}
