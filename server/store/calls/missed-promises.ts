/** Which promised callbacks were missed: for figures, and for the lists that they open. */
import { PROMISE_MS } from '../../../domain/calling/standing.ts'
import { isStillPromised } from '../do-not-call/stops.ts'

/**
 * SQL: a promise that nobody kept, as of `at`, a parameter. What falls due after who promised it was removed isn't theirs. The story is
 * a subquery, because PostgreSQL would read all stories to join them.
 */
export const isMissedPromise = (at: string): string => `(promises.kept = 0 OR (
    promises.kept IS NULL AND promises.at + ${PROMISE_MS} < ${at}
    AND (SELECT 1 FROM stories WHERE stories.id = promises.story_id AND ${isStillPromised}) = 1))
  AND NOT EXISTS (SELECT 1 FROM desk_people WHERE desk_people.id = promises.person_id AND dismissed_at <= promises.at)`
