/**
 * How a page reports how far a visitor got: `POST /api/progress?from=0&to=3` says that questions 1 to 3 were reached since its
 * last report. One beyond the last question: all were answered. Nothing else is sent.
 */
export const PROGRESS_PATH = '/api/progress'
