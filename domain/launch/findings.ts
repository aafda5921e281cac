/** Everything the launch check can find: who fixes it, and one sentence that says what is wrong and why it matters. */
import { addDays } from '../dates.ts'

/** Describes one finding, or multiple findings with the same cause. */
type Sentence = (found: readonly LaunchPoint[]) => string

const subjects = (found: readonly LaunchPoint[]) => found.map(({ subject }) => subject).join(', ')
const details = (found: readonly LaunchPoint[]) => found.map(({ detail }) => detail ?? '').join(', ')
const quoted = (found: readonly LaunchPoint[]) => found.map(({ detail }) => `“${detail ?? ''}”`).join(', ')
const either = new Intl.ListFormat('en-US', { type: 'disjunction' })
const figures = (found: readonly LaunchPoint[], describePoint: (point: LaunchPoint) => string) =>
  found
    .map(point => {
      const [shown, note] = (point.detail ?? '').split('\n')
      return `${point.subject} (${shown}) ${describePoint(point)}.${note ? ` ${note}` : ''}`
    })
    .join(' ')

/** For reviews.toml. */
export const reviewLines = (section: string, version: string | null, by = 'Who', on = 'YYYY-MM-DD') =>
  `[${section}]\nby = ${JSON.stringify(by)}\non = "${on}"\n${version === null ? '' : `version = "${version}"\n`}`

const howToReview = (found: readonly LaunchPoint[]) => {
  const lines = found.map(({ subject, detail }) => `\n${reviewLines(`texts."${subject}"`, detail ?? '')}`)
  return `For each one, run npm run site -- reviewed NAME --by WHO, or add to reviews.toml:\n${lines.join('')}`
}

/** `plain`: for people without a terminal, without the names of files and settings. */
type Entry = Sentence | { readonly sentence: Sentence; readonly plain: (point: LaunchPoint) => string }

/** Grouped by who fixes it, worst first: legal violations, then lost leads or proof, then everything else. */
const entries = {
  lawyer: {
    sample_testimonial: found =>
      `Sample testimonials are shown: ${subjects(found)}. Fake testimonials are illegal (16 CFR 465.2). Replace them with real ones, or remove them.`,
    testimonial_without_permission: found =>
      `No permission on record for testimonials by ${subjects(found)}. Record when each person agreed and where the proof is kept (16 CFR 465.2).`,
    affiliation_notice_missing: found =>
      `Missing from the footer in ${subjects(found)}: the notice that the site is not affiliated with the Social Security Administration or any government agency (42 USC 1320b-10).`,
    advertorial_label_missing: found =>
      `The advertorial in ${subjects(found)} reads like an article but isn’t labeled as an ad at the top (15 USC 45; FTC policy, 81 FR 22596).`,
    consent_without_seller: found =>
      `The consent text in ${subjects(found)} doesn’t name the organization that may call (47 CFR 64.1200(f)(9)).`,
    consent_without_opt_out: found =>
      `The consent text in ${subjects(found)} doesn’t say how to opt out. Mention STOP, and say that consent can be withdrawn (47 CFR 64.1200(a)(10)).`,
    consent_without_no_purchase: found =>
      `The consent text in ${subjects(found)} doesn’t say that consent isn’t required to buy anything (47 CFR 64.1200(f)(9)(i)(B)).`,
    scarcity_without_evidence: {
      sentence: found =>
        `Scarcity claims without evidence: ${quoted(found)}. Back up each one with a figure in evidence.toml that has a source and an end date, or remove it. False scarcity is deceptive (15 USC 45).`,
      plain: ({ detail }) =>
        `No evidence is on record for “${detail}”. Find a source, or remove the claim: false scarcity is deceptive (15 USC 45).`,
    },
    claim_without_basis: {
      sentence: found =>
        `Claims without support: ${quoted(found)}. In evidence.toml, add the evidence for each one, or hide it with show = false (15 USC 45).`,
      plain: ({ detail }) => `No evidence is on record for “${detail}”. Find it, or remove the claim (15 USC 45).`,
    },
    unlisted_claim: {
      sentence: found => `Claims without a place for their evidence in evidence.toml: ${details(found)} (15 USC 45).`,
      plain: ({ detail }) => `This claim isn’t on the list of claims with evidence: ${detail} (15 USC 45).`,
    },
    calling_hours_unreviewed: {
      sentence: () =>
        'The call list is on, and no review of its calling hours is on record. A call at the wrong time can lead to claims of up to $500, or $1,500 if willful (47 CFR 64.1200(c)(1); 47 USC 227(c)(5)). Have your lawyer check the hours in docs/compliance.md, and record the review under [accepted] in reviews.toml.',
      plain: () =>
        'Have your lawyer check the calling hours. No review is on record, and a call at the wrong time can lead to claims (47 CFR 64.1200(c)).',
    },
    protected_name: {
      sentence: found =>
        `Words that the Social Security Act protects are in your ${found.map(({ subject, detail }) => `${subject} (${detail})`).join(' and ')}. Each view of a site that suggests a connection to the agency can be a violation, even with a disclaimer (42 USC 1320b-10). Have your lawyer decide, and record the review under [accepted] in reviews.toml.`,
      plain: ({ subject, detail }) =>
        `Words that the Social Security Act protects are in your ${subject} (${detail}). Have your lawyer decide (42 USC 1320b-10).`,
    },
    legal_rule_overdue: {
      sentence: found =>
        `Legal rules due for review: ${figures(found, ({ from }) => `was to be reviewed by ${addDays(from ?? '', -1)}`)} Record the reviews under [rules] in reviews.toml.`,
      plain: ({ subject }) => `A legal rule is due for review by your lawyer: ${subject}.`,
    },
    text_not_reviewed: {
      sentence: found => `Texts that a lawyer has to review: ${subjects(found)}. ${howToReview(found)}`,
      plain: ({ subject }) => `A lawyer has to review this text: ${subject}.`,
    },
    text_held_back: {
      sentence: found =>
        `Texts that were edited after their review, so visitors get the text from before: ${subjects(found)}. ${howToReview(found)}`,
      plain: ({ subject }) =>
        `The edit of ${subject} isn’t live. Visitors get the text from before, until a lawyer has reviewed this one.`,
    },
    language_not_reviewed: {
      sentence: found =>
        `No lawyer has reviewed the pages and the consent in ${subjects(found)}. Disclosures must be right in the language of the page (16 CFR 14.9(a)). Record the review: npm run site -- reviewed es --by WHO, or [languages.es] in reviews.toml with version = "${details(found)}". Or remove the language in organization.toml.`,
      plain: ({ subject }) =>
        `No lawyer has reviewed the pages and the consent in ${subject}. Disclosures must be right in the language of the page (16 CFR 14.9(a)).`,
    },
    reviewed_text_elsewhere: {
      sentence: found =>
        `A lawyer reviewed these pages, and links lead to other ones now: ${found.map(({ subject, detail }) => `${subject} (${detail})`).join(', ')}. Have those reviewed, and delete the review in reviews.toml.`,
      plain: ({ subject, detail }) => `A lawyer reviewed ${subject}, but links lead to ${detail} now.`,
    },
    language_without_stop_word: {
      sentence: found =>
        `Does your texting service honor a stop word in ${subjects(found)}, such as ALTO? People can withdraw consent in any reasonable way (47 CFR 64.1200(a)(10)). Enter the word as stopWord in organization.toml. If it doesn’t, or if you don’t text, have your lawyer record that under [accepted] in reviews.toml.`,
      plain: ({ subject }) =>
        `Does your texting service honor a stop word in ${subject}, such as ALTO? People can withdraw consent in any reasonable way (47 CFR 64.1200(a)(10)).`,
    },
    legal_draft: {
      sentence: found =>
        `Legal pages that are missing or still drafts, so their links don’t work: ${subjects(found)}. Complete them with your lawyer.`,
      plain: () => 'A legal page is missing or still a draft. Complete it with your lawyer.',
    },
  },
  owner: {
    language_without_staff: {
      sentence: found =>
        `Does someone answer in ${subjects(found)}? The pages invite people to call. Say who as answeredBy in organization.toml, have your lawyer record in reviews.toml why no one does, or remove the language.`,
      plain: ({ subject }) =>
        `Does someone answer in ${subject}? The pages invite people to call. If not, have your lawyer record why that’s fine.`,
    },
    organization_as_delivered: found =>
      `Sample values are still in use: ${details(found)}. Replace them with your organization’s own.`,
    organization_incomplete: found =>
      `Visitors can’t see your ${either.format(found.map(({ detail }) => detail ?? ''))}. People are more likely to trust a call from an organization they can look up.`,
  },
  marketer: {
    figure_expired: found =>
      `Out-of-date figures: ${figures(found, ({ from }) => `was valid through ${addDays(from ?? '', -1)}`)}`,
    figure_not_yet_true: found =>
      `Figures shown too early: ${figures(found, ({ to }) => `isn’t valid until ${addDays(to ?? '', 1)}`)}`,
    figure_differs: {
      sentence: found =>
        `Figures that differ between languages: ${found.map(({ subject, detail }) => `${subject} (${detail})`).join(', ')}. Insert the figures from evidence.toml in both.`,
      plain: ({ subject, detail }) => `A figure differs between languages: ${subject} (${detail}).`,
    },
    unlisted_figure: {
      sentence: found =>
        `Figures that aren’t in evidence.toml: ${details(found)}. Add each one there, with its source, and insert it by its name.`,
      plain: ({ detail }) => `This figure isn’t on the list of figures with a source: ${detail}.`,
    },
    low_contrast: found => `Hard to read: ${details(found)}. Choose darker or lighter colors (WCAG 2.2, 1.4.3).`,
    figure_without_source: found => `Figures without a source: ${figures(found, () => 'needs one')}`,
    placeholder_text: found => `Placeholder text: ${details(found)}.`,
    dead_link: found => `Broken links: ${found.map(({ subject, detail }) => `${subject} (${detail})`).join(', ')}.`,
    link_without_destination: found =>
      `Links without a destination: ${found.map(({ subject }) => `“${subject}”`).join(', ')}.`,
  },
  it: {
    temporary_store: {
      sentence: found =>
        `Leads would be lost on restart: ${details(found)}. Set DATA_DIR to a folder on a permanent disk.`,
      plain: () => 'Leads would be lost on restart: they’re stored on a temporary disk.',
    },
    no_webhook: {
      sentence: () => 'LEAD_WEBHOOK_URL is not set and CALL_LIST is off: leads are stored, but no one receives them.',
      plain: () => 'Leads are stored, but no one receives them: there’s no CRM, and calling from the desk is off.',
    },
    webhook_unencrypted: {
      sentence: found => `${subjects(found)} uses http, so names and phone numbers are sent unencrypted.`,
      plain: () => 'Names and phone numbers are sent unencrypted, to an address without https.',
    },
    leads_bypass_record: {
      sentence: () =>
        'SITE_LEAD_ENDPOINT sends leads straight to another address, so consent isn’t recorded here. The Telemarketing Sales Rule requires that record (16 CFR 310.5).',
      plain: () =>
        'Leads go straight to another address, so consent isn’t recorded here. The Telemarketing Sales Rule requires that record (16 CFR 310.5).',
    },
    no_public_address: {
      sentence: found => `SITE_URL is not a public https address: ${details(found)}.`,
      plain: () => 'The website has no public https address yet.',
    },
    example_address: {
      sentence: found =>
        `The example address is still in use: ${found.map(({ subject, detail }) => `${subject}=${detail}`).join(', ')}.`,
      plain: () => 'An example address is still in use.',
    },
    no_trusted_proxy: {
      sentence: () =>
        'TRUST_PROXY is not set: behind the https proxy, all visitors appear to have the same address, and their leads are put on hold.',
      plain: () => 'All visitors appear to have the same address, so their leads may be put on hold.',
    },
    proxy_trusts_everybody: {
      sentence: () => 'TRUST_PROXY trusts every address, so visitors can fake theirs and get around the rate limits.',
      plain: () => 'Visitors can fake their address and get around the limits.',
    },
    trusted_form_off: {
      sentence: found =>
        `TRUSTEDFORM is ${details(found)}: only your own record shows what a visitor saw and agreed to. Turn it on, or have your lawyer record in reviews.toml why not.`,
      plain: () =>
        'TrustedForm is off, so only your own record shows what a visitor saw and agreed to. Turn it on, or have your lawyer record why not.',
    },
    no_alert_address: {
      sentence: () =>
        'Neither ALERT_WEBHOOK_URL nor MAIL_TO is set: no one is notified when leads are refused, backups fail, or deliveries are stuck.',
      plain: () => 'No one is notified when something breaks: leads refused, backups failing, deliveries stuck.',
    },
    no_time_zone: {
      sentence: () => 'TIME_ZONE is not set: days and times follow this machine’s clock, not your office’s.',
      plain: () => 'The office’s time zone isn’t set, so days and times follow the server’s clock.',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Entry>>>>

export type LaunchGroup = keyof typeof entries
export type LaunchCode = { [Group in LaunchGroup]: keyof (typeof entries)[Group] }[LaunchGroup]

const kinds = new Map(
  Object.entries(entries).flatMap(([group, byCode]) =>
    Object.entries<Entry>(byCode).map(([code, entry]) => {
      const words = typeof entry === 'function' ? { sentence: entry, plain: null } : entry
      return [code as string, { group: group as LaunchGroup, ...words }]
    }),
  ),
)
const ranks = [...kinds.keys()]

/** Where to fix it: a setting, a value in a file of the site's folder, a line, or a text to search for. */
export type ChangeAt =
  | { readonly setting: string }
  /** As `evidence.toml figures.maximumBenefit.until`. */
  | { readonly key: string }
  | { readonly file: string; readonly line: number | null }
  | { readonly search: string }

export interface LaunchFinding {
  readonly code: LaunchCode
  /** The figure, person, page, or link it's about. Code and subject together identify the finding. */
  readonly subject: string
  readonly detail?: string
  /** The first day it applies, such as 2027-01-01. Without one, it already applies. */
  readonly from?: string
  /** The last day it applies. */
  readonly to?: string
  readonly change: ChangeAt
}

/** Informational; doesn't block the launch. */
export interface LaunchNote {
  readonly id: string
  readonly reason: string
}

/** The part of a finding that a running server needs. */
export type LaunchPoint = Omit<LaunchFinding, 'change'>

export const groupOf = ({ code }: Pick<LaunchPoint, 'code'>) => kinds.get(code)?.group ?? 'it'

/** An older build's manifest may contain codes that this version doesn't recognize. */
export const isKnown = ({ code }: { readonly code: string }): boolean => kinds.has(code)

const calendarDate = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' })

/** For a figure that hasn't expired yet, or a rule that isn't overdue yet. */
export const expiryNotice = (point: LaunchPoint) =>
  figures([point], ({ code, from }) => {
    const last = calendarDate.format(Date.parse(addDays(from ?? '', -1)))
    return code === 'legal_rule_overdue' ? `is to be reviewed by ${last}` : `is valid through ${last}`
  })

/** One sentence for findings with the same code. */
export const sentenceOf = (...found: readonly LaunchPoint[]) =>
  (kinds.get(found[0]?.code ?? '')?.sentence(found) ?? '').replaceAll('.. ', '. ')

/** For people without a terminal. */
export const plainSentenceOf = (point: LaunchPoint): string =>
  kinds.get(point.code)?.plain?.(point) ?? sentenceOf(point)

export const idOf = ({ code, subject }: Pick<LaunchFinding, 'code' | 'subject'>) => `${code}:${subject}`

export function openOn<Point extends LaunchPoint>(points: readonly Point[], today: string): readonly Point[] {
  return points
    .filter(({ from, to }) => (from === undefined || from <= today) && (to === undefined || today <= to))
    .toSorted((one, other) => ranks.indexOf(one.code) - ranks.indexOf(other.code))
}

/** Warn about figures that expire within this many days. */
export const DAYS_AHEAD = 30

export function expiringOn<Point extends LaunchPoint>(
  points: readonly Point[],
  today: string,
  days = DAYS_AHEAD,
): readonly Point[] {
  const last = addDays(today, days)
  return points.filter(({ from }) => from !== undefined && from > today && from <= last)
}
