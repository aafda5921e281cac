/**
 * Every figure on the site, in one place. Pages use `shown`; never type a number into a sentence.
 *
 * `since` and `until` are the figure's first and last valid days, according to its source; `until: null` means no end date.
 * `source: null` means that no source is documented yet. The launch check rejects expired and unsourced figures.
 */

export interface Figure {
  readonly shown: string
  readonly claim: string
  readonly source: string | null
  readonly since: string | null
  readonly until: string | null
  readonly note?: string
}

/** The age range for the eligibility check. */
export const ages = { from: 55, to: 64 } as const
/** How long the eligibility check takes, in minutes. */
const minutes = 2

export const figures = {
  maximumBenefit: {
    shown: '$4,018/Month',
    claim: 'The highest monthly SSDI benefit that a disabled worker can receive.',
    source: 'Social Security Administration, maximum SSDI benefit for 2025',
    since: '2025-01-01',
    until: '2025-12-31',
    note: 'The 2026 maximum is $4,152.',
  },
  averageBenefit: {
    shown: '$1,483',
    claim: 'The average monthly SSDI benefit for disabled workers.',
    source: 'Social Security Administration, average disabled-worker benefit, 2023',
    since: '2023-01-01',
    until: '2023-12-31',
  },
  initialDenials: {
    shown: 'about 70%',
    claim: 'The share of initial SSDI applications that are denied, as stated in the FAQ.',
    source: null,
    since: null,
    until: null,
    note: 'Differs from the advertorial’s figure; use one source for both.',
  },
  initialDenialsAdvertorial: {
    shown: 'over 65%',
    claim: 'The share of initial SSDI applications that are denied, as stated in the advertorial.',
    source: null,
    since: null,
    until: null,
    note: 'Differs from the FAQ’s figure; use one source for both.',
  },
  feeShare: {
    shown: '25%',
    claim: 'The most a representative may charge, as a share of back benefits, under a fee agreement.',
    source: '42 U.S.C. 406(a)(2)(A)',
    since: '1991-01-01',
    until: null,
  },
  feeCap: {
    shown: '$7,200',
    claim: 'The most a representative may charge, in dollars, under a fee agreement.',
    source: 'Social Security Administration, maximum dollar limit in the fee agreement process',
    since: '2022-11-30',
    until: '2024-11-29',
    note: 'Since November 30, 2024, the limit has been $9,200.',
  },
  initialDecisionTime: {
    shown: '3-5 months',
    claim: 'How long the Social Security Administration typically takes to make an initial decision.',
    source: null,
    since: null,
    until: null,
  },
  medicareWait: {
    shown: '24 months',
    claim: 'The waiting period between SSDI entitlement and Medicare coverage.',
    source: '42 U.S.C. 426(b)',
    since: '1973-07-01',
    until: null,
  },
  impairmentDuration: {
    shown: '12 months',
    claim: 'How long an impairment must last, or be expected to last, unless it is expected to result in death.',
    source: '42 U.S.C. 423(d)(1)(A)',
    since: '1965-07-30',
    until: null,
  },
  workHistory: {
    shown: '5 of the last 10 years',
    claim: 'How long a worker over 30 must typically have paid Social Security taxes to be insured for disability.',
    source: '42 U.S.C. 423(c)(1)(B)(i): 20 of the last 40 quarters',
    since: '1960-09-13',
    until: null,
  },
  insuredAfterWork: {
    shown: 'about five years',
    claim: 'How long a worker over 30 who worked steadily stays insured for disability after their last day of work.',
    source: '20 CFR 404.130(b): 20 quarters of coverage within the 40 that end with the quarter of disability',
    since: '1960-09-13',
    until: null,
  },
  retroactiveLimit: {
    shown: '12 months',
    claim: 'The maximum number of months before the application that SSDI can pay for.',
    source: '42 U.S.C. 423(b); 20 CFR 404.621(a)(1)',
    since: null,
    until: null,
  },
  audienceAge: {
    shown: `${ages.from}`,
    claim: 'The age at which Social Security’s rules for “advanced age” start to apply.',
    source: '20 CFR 404.1563(e)',
    since: null,
    until: null,
  },
  audienceAgeRange: {
    shown: `${ages.from}-${ages.to}`,
    claim: 'The ages that the eligibility check is for.',
    source: 'The organization’s own intake rule (the age question)',
    since: null,
    until: null,
  },
  questionAges: {
    shown: `between ${ages.from} and ${ages.to}`,
    claim: 'The age range in the age question.',
    source: 'The organization’s own intake rule (the age question)',
    since: null,
    until: null,
  },
  checkTakes: {
    shown: `about ${numberWords(minutes).inside} minutes`,
    claim: 'How long the eligibility check takes, in a sentence.',
    source: 'The yes/no questions and the contact form, timed by the organization',
    since: null,
    until: null,
  },
  checkDuration: {
    shown: `${minutes}-minute`,
    claim: 'How long the eligibility check takes.',
    source: 'The yes/no questions and the contact form, timed by the organization',
    since: null,
    until: null,
  },
  spotsRemaining: {
    shown: '23',
    claim: 'How many people the organization can still take on this month.',
    source: null,
    since: null,
    until: null,
    note: 'Fixed text. Show it only while it is true.',
  },
} as const satisfies Record<string, Figure>

/** Spells out a number: “six”, or “Six” at the start of a sentence. Numbers above twelve are left as digits. */
export function numberWords(number: number): { readonly inside: string; readonly first: string } {
  const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')
  const inside = words[number] ?? String(number)
  return { inside, first: inside.charAt(0).toUpperCase() + inside.slice(1) }
}
