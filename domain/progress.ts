/**
 * How a page tells the server, when it is left, how far a visitor got: `POST /api/progress?from=0&to=3` says that questions 1 to 3
 * were reached since the last report of this page. One beyond the last question: all were answered. Nothing else travels with it.
 */
export const PROGRESS_PATH = '/api/progress'
