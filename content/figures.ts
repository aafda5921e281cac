/**
 * Every figure on the site, in one place, for all languages. `content/en/figures.ts` and its counterparts put them into words;
 * never type a number into a sentence.
 *
 * `since` and `until` are the figure's first and last valid days, according to its source. A law has no last day: there, `until` is
 * the day to look it up again by.
 * `source: null` means that no source is documented yet. The launch check rejects expired and unsourced figures.
 */

export interface Figure {
  /** The amount, percentage, or number, without words. */
  readonly value: string
  readonly claim: string
  readonly source: string | null
  readonly since: string | null
  readonly until: string | null
  readonly note?: string
}

/** The age range for the eligibility check. */
export const ages = { from: 55, to: 64 } as const
/** How long the eligibility check takes, in minutes. */
export const checkMinutes = 2
/** How many of the last years a person must typically have worked. */
export const workYears = { worked: 5, last: 10 } as const

export const figures = {
  maximumBenefit: {
    value: '$4,018',
    claim: 'The highest monthly SSDI benefit that a disabled worker can receive.',
    source: 'Social Security Administration, maximum SSDI benefit for 2025',
    since: '2025-01-01',
    until: '2025-12-31',
    note: 'The 2026 maximum is $4,152.',
  },
  averageBenefit: {
    value: '$1,483',
    claim: 'The average monthly SSDI benefit for disabled workers.',
    source: 'Social Security Administration, average disabled-worker benefit, 2023',
    since: '2023-01-01',
    until: '2023-12-31',
    note: 'Social Security publishes a new average every month, in its Monthly Statistical Snapshot.',
  },
  initialDenials: {
    value: '70%',
    claim: 'The share of initial SSDI applications that are denied, as stated in the FAQ.',
    source: null,
    since: null,
    until: null,
    note: 'Differs from the advertorial’s figure; use one source for both.',
  },
  initialDenialsAdvertorial: {
    value: '65%',
    claim: 'The share of initial SSDI applications that are denied, as stated in the advertorial.',
    source: null,
    since: null,
    until: null,
    note: 'Differs from the FAQ’s figure; use one source for both.',
  },
  feeShare: {
    value: '25%',
    claim: 'The most a representative may charge, as a share of back benefits, under a fee agreement.',
    source: '42 U.S.C. 406(a)(2)(A)',
    since: '1991-01-01',
    until: '2027-11-30',
  },
  feeCap: {
    value: '$7,200',
    claim: 'The most a representative may charge, in dollars, under a fee agreement.',
    source: 'Social Security Administration, maximum dollar limit in the fee agreement process',
    since: '2022-11-30',
    until: '2024-11-29',
    note: 'Since November 30, 2024, the limit has been $9,200.',
  },
  initialDecisionTime: {
    value: '3-5',
    claim: 'How long the Social Security Administration typically takes to make an initial decision.',
    source: null,
    since: null,
    until: null,
    note: 'In recent years, ssa.gov has said six to eight months.',
  },
  medicareWait: {
    value: '24',
    claim: 'The waiting period between SSDI entitlement and Medicare coverage.',
    source: '42 U.S.C. 426(b)',
    since: '1973-07-01',
    until: '2027-11-30',
  },
  impairmentDuration: {
    value: '12',
    claim: 'How long an impairment must last, or be expected to last, unless it is expected to result in death.',
    source: '42 U.S.C. 423(d)(1)(A)',
    since: '1965-07-30',
    until: '2027-11-30',
  },
  workHistory: {
    value: `${workYears.worked} of ${workYears.last}`,
    claim: 'How long a worker over 30 must typically have paid Social Security taxes to be insured for disability.',
    source: '42 U.S.C. 423(c)(1)(B)(i): 20 of the last 40 quarters',
    since: '1960-09-13',
    until: '2027-11-30',
  },
  insuredAfterWork: {
    value: '5',
    claim: 'How long a worker over 30 who worked steadily stays insured for disability after their last day of work.',
    source: '20 CFR 404.130(b): 20 quarters of coverage within the 40 that end with the quarter of disability',
    since: '1960-09-13',
    until: '2027-11-30',
  },
  retroactiveLimit: {
    value: '12',
    claim: 'The maximum number of months before the application that SSDI can pay for.',
    source: '42 U.S.C. 423(b); 20 CFR 404.621(a)(1)',
    since: null,
    until: '2027-11-30',
  },
  fullRetirementAge: {
    value: '67',
    claim:
      'Full retirement age, at which disability benefits become retirement benefits, for anyone born since 1960. Everyone older has reached theirs.',
    source: '42 U.S.C. 416(l); 20 CFR 404.409',
    since: '2026-11-01',
    until: '2027-11-30',
  },
  continuationDays: {
    value: '10',
    claim: 'How many days after the notice someone can ask for benefits to go on during an appeal.',
    source: '20 CFR 404.1597a(f)(1)',
    since: null,
    until: '2027-11-30',
  },
  audienceAge: {
    value: `${ages.from}`,
    claim: 'The age at which Social Security’s rules for “advanced age” start to apply.',
    source: '20 CFR 404.1563(e)',
    since: null,
    until: '2027-11-30',
  },
  audienceAgeRange: {
    value: `${ages.from}-${ages.to}`,
    claim: 'The ages that the eligibility check is for.',
    source: 'The organization’s own intake rule (the age question)',
    since: null,
    until: null,
  },
  questionAges: {
    value: `${ages.from}-${ages.to}`,
    claim: 'The age range in the age question.',
    source: 'The organization’s own intake rule (the age question)',
    since: null,
    until: null,
  },
  checkTakes: {
    value: `${checkMinutes}`,
    claim: 'How long the eligibility check takes, in a sentence.',
    source: null,
    since: null,
    until: null,
    note: 'Time five people who haven’t seen the site, and say who did it and when.',
  },
  checkDuration: {
    value: `${checkMinutes}`,
    claim: 'How long the eligibility check takes.',
    source: null,
    since: null,
    until: null,
    note: 'Time five people who haven’t seen the site, and say who did it and when.',
  },
  spotsRemaining: {
    value: '23',
    claim: 'How many people the organization can still take on this month.',
    source: null,
    since: null,
    until: null,
    note: 'Fixed text. Show it only while it is true.',
  },
} as const satisfies Record<string, Figure>
