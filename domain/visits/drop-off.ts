/** Where visitors drop off: how a page reports progress, and how drop-off is computed from the counts per question. */

export interface QuestionStep {
  /** Starts at 1; null for the contact form. */
  readonly question: number | 'declined' | null
  readonly reached: number
  /** Visitors who left the page here, as far as the page could tell. */
  readonly left: number
}

/** Visitors of the same pages and days as the counts per question. */
export interface Visitors {
  readonly views: number
  readonly declined: number
  readonly submitted: number
}

/**
 * Who answered every question. Browsers without JavaScript don't report it, so it's at least everyone who went on, but never more than
 * saw the page: some saw it on another day, and some were added by phone.
 */
export const completedBy = (
  reached: readonly number[],
  questions: number,
  { views, declined, submitted }: Visitors,
): number => Math.min(views, Math.max(reached[questions] ?? 0, declined + submitted))

/**
 * Everyone who sees the page sees question 1, but a page reports nothing before the first answer. The last count in `reached` is
 * visitors who answered every question. Some are declined; everyone else sees the contact form.
 */
export function dropOff(reached: readonly number[], questions: number, visitors: Visitors): readonly QuestionStep[] {
  if (reached.length === 0) return []
  const { views, declined, submitted } = visitors
  const completed = completedBy(reached, questions, visitors)
  // Who reached a later question saw this one, also if their browser didn't report it.
  const at = (question: number) =>
    question === 1 ? views : Math.min(views, Math.max(completed, ...reached.slice(question - 1, questions)))
  const steps = Array.from({ length: questions }, (_, index) => ({
    question: index + 1,
    reached: at(index + 1),
    left: Math.max(0, at(index + 1) - at(index + 2)),
  }))
  const sawForm = Math.max(0, completed - declined)
  return [
    ...steps,
    { question: 'declined', reached: completed, left: Math.min(declined, completed) },
    { question: null, reached: sawForm, left: Math.max(0, sawForm - submitted) },
  ]
}

/**
 * How a page reports a visitor's progress: `POST /api/progress?from=0&to=3` means that questions 1 through 3 were reached since
 * the last report. One past the last question means that all were answered. Nothing else is sent.
 */
export const PROGRESS_PATH = '/api/progress'
