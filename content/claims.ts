/**
 * What the site claims about its operator. `support` states the evidence for a claim ("2,140 reviews, average 4.9, Trustpilot,
 * 2026-10-01"); if it's null, the launch check flags the claim.
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
 * Launch-check findings that don't need to be fixed: who decided, when, and why, keyed by the ID that `--json` prints, such as
 * 'figure_expired:averageBenefit': { who: 'Jane Roe, general counsel', when: '2026-11-01', why: 'Replaced on December 1.' }
 * The finding becomes a note. Without a name, a date, and a reason, it stays a blocker.
 */
export const justifications: Readonly<
  Record<string, { readonly who: string; readonly when: string; readonly why: string }>
> = {}
