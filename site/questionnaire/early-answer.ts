/** The handover from site/inline/before-react.ts: an answer given before React arrived. */
export interface EarlyAnswer {
  readonly answer: boolean
  /** When it was pressed, in milliseconds since the epoch: the lock counts from the press, not from React's arrival. */
  readonly at: number
}

declare global {
  interface Window {
    /** undefined: nothing pressed yet; null: React has taken over, and the inline script keeps out. */
    earlyAnswer?: EarlyAnswer | null
  }
}

export function takeEarlyAnswer(): EarlyAnswer | null {
  const early = window.earlyAnswer ?? null
  window.earlyAnswer = null
  return early
}
