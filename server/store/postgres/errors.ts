/** Classifies PostgreSQL errors: retryable, temporarily unavailable, or our bug. Drops their messages, which may quote data. */
import pg from 'pg'
import { StaleLocks } from '../sql.ts'
import { QueryTimeoutError, StoreUnavailable, StoreUnusable } from '../store-errors.ts'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Serialization failure, deadlock, lock timeout, or locks that came too late: safe to retry. */
export function isCollision(error: unknown): boolean {
  return error instanceof StaleLocks || /^(40001|40P01|55P03)$/.test(codeOf(error))
}

/** The server is starting up, shutting down, read-only, or out of connections, disk space, or memory, or the connection broke. */
const UNAVAILABLE =
  /^(08...|57P0[1-5]|53...|25006|58...|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** `pg` has no error codes for a closed connection or a missing response. */
const FROM_DRIVER =
  /^(Connection terminated|Query read timeout|timeout exceeded|timeout expired|Client has encountered|The server )/

/** The database is down or can't write. A commit that was in progress may or may not have happened. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  if (codeOf(error) !== '') return UNAVAILABLE.test(codeOf(error))
  return error instanceof Error && FROM_DRIVER.test(error.message)
}

/** Canceled by `statement_timeout`. Only the desk's reader waits for that; all others drop the connection before. */
const QUERY_CANCELED = '57014'

/** Retrying won't help. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'PostgreSQL rejected the password in DATABASE_URL.',
  '28000': 'PostgreSQL rejected the user in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL doesn’t exist. Create it with createdb.',
  '42501': 'The user in DATABASE_URL isn’t allowed to create tables. Make it the owner of the database.',
  '42P07': 'The database in DATABASE_URL contains another program’s tables. Use a separate database.',
}

/** `pg` has no error code for this, either. */
const NO_PASSWORD = /client password must be/

/** Converts errors into ones that the store's callers understand. Any other database error is our bug; its message is dropped. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return error
  const refusal = refusals[codeOf(error)]
  if (refusal) return new StoreUnusable(refusal, { cause: error })
  if (error instanceof Error && NO_PASSWORD.test(error.message)) {
    return new StoreUnusable('PostgreSQL asks for a password. Add it to DATABASE_URL.', { cause: error })
  }
  if (codeOf(error) === QUERY_CANCELED) return new QueryTimeoutError()
  if (isCollision(error)) return new StoreUnavailable('the database is too busy.', { cause: error })
  if (isConnectionError(error)) return new StoreUnavailable(reasonOf(error), { cause: error })
  if (error instanceof pg.DatabaseError) {
    return Object.assign(new Error(`PostgreSQL rejected a statement (${error.code}).`), { name: 'DatabaseError' })
  }
  return error
}

export const IS_STANDBY = 'the database is a standby or read-only.'

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  if (code === '53100') return 'the database’s disk is full.'
  if (code === '25006') return IS_STANDBY
  if (code === '08P01') return 'PgBouncer, or another pooler, refused the connection (08P01). Its log says why.'
  if (code === '53300') return 'the database has no connections left.'
  return `the database can’t be reached (${code || 'no response'}).`
}
