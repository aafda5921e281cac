/**
 * What the site claims about its operator in so many words. `support` says what shows that a claim is true ("2,140 reviews,
 * average 4.9, Trustpilot, 2026-10-01"); while it is null, the launch check lists the claim.
 */
export interface Claim {
  readonly shown: string
  readonly support: string | null
}

export const claims = {
  confidential: { shown: '100% confidential', support: null },
  hipaaProtected: { shown: 'HIPAA-protected', support: null },
  secure: { shown: '100% Secure & HIPAA Compliant', support: null },
  rated: { shown: 'Rated by Thousands', support: null },
  fiveStars: { shown: '5 out of 5 stars', support: null },
} as const satisfies Record<string, Claim>

/**
 * Who has decided that a line of the launch check may stand, when and why. By the name that the check prints, such as
 * 'figure_expired:averageBenefit': { who: 'Jane Roe, general counsel', when: '2026-11-01', why: 'Replaced on December 1.' }
 * The line becomes a note; one without a name, a day and a reason stays.
 */
export const justifications: Readonly<
  Record<string, { readonly who: string; readonly when: string; readonly why: string }>
> = {}
