/** One line of the doctor's: how it stands, about what, and in plain words. */
export interface Finding {
  readonly grade: 'ok' | 'warning' | 'fault'
  readonly about: string
  readonly words: string
}

export type Grade = (words: string) => Finding

export function findingsAbout(about: string): { ok: Grade; warning: Grade; fault: Grade } {
  return {
    ok: words => ({ grade: 'ok', about, words }),
    warning: words => ({ grade: 'warning', about, words }),
    fault: words => ({ grade: 'fault', about, words }),
  }
}
