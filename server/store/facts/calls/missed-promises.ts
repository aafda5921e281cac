/** Which promised callbacks were missed: for figures, and for the lists that they open. */
import { PROMISE_MS } from '../../../../domain/calling/standing.ts'
import { isStillPromised } from '../do-not-call/stops.ts'

/**
 * SQL: a promise that nobody kept, as of `at`, a parameter. The story is a subquery, because PostgreSQL would read all stories to join
 * them. `promise`: its row.
 */
export const isMissedPromise = (at: string, promise = 'promises'): string => `(${promise}.kept = 0 OR (
    ${promise}.kept IS NULL AND ${promise}.at + ${PROMISE_MS} < ${at}
    AND (SELECT 1 FROM stories WHERE stories.id = ${promise}.story_id AND ${isStillPromised}) = 1))`
