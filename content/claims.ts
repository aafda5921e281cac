/**
 * The evidence for each claim the site makes about its operator ("2,140 reviews, average 4.9, Trustpilot, 2026-10-01"). If it's
 * null, the launch check flags the claim. The claims' wording is in content/en/claims.ts and its counterparts.
 */
export const claimSupport = {
  confidential: null,
  hipaaProtected: null,
  secure: null,
  rated: null,
  fiveStars: null,
} as const satisfies Record<string, string | null>

/** The wording in one language. Null hides a claim wherever it's made. */
export type Claims = Readonly<Record<keyof typeof claimSupport, string | null>>

/**
 * Launch-check findings that don't need to be fixed: who decided, when, and why, keyed by the ID that `--json` prints, such as
 * 'figure_expired:averageBenefit': { who: 'Jane Roe, general counsel', when: '2026-11-01', why: 'Replaced on December 1.' }
 * The finding becomes a note. Without a name, a date, and a reason, it stays a blocker.
 */
export const justifications: Readonly<
  Record<string, { readonly who: string; readonly when: string; readonly why: string }>
> = {}
