/** The store's errors. Their messages are shown to people. */

/** Temporary: the store is full, read-only, locked, or unreachable. The operation changed nothing. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** An upgrade can't start yet, but will by itself. */
export class UpgradeWaits extends StoreUnavailable {}

/** The query timed out. The message is for the person who is waiting. */
export class QueryTimeoutError extends Error {
  constructor(message = 'That took too long. Narrow the dates or add a filter.') {
    super(message)
    this.name = 'QueryTimeoutError'
  }
}

/** The store can't be used at all. The message tells the operator what's wrong and what to do. */
export class StoreUnusable extends Error {
  override name = 'StoreUnusable'
}

/** For logs and alerts. The store's own messages are safe to show; other messages may quote visitor input. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return error.message
  return `an unexpected error (${error instanceof Error ? error.name : 'unknown'}).`
}

/** Explains a file system error in plain English; null for any other error. */
export function explainFileError(error: unknown): string | null {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'permission denied.'
  if (code === 'ENOENT') return 'there is no such folder.'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'there is a file where the folder should be.'
  if (code === 'ELOOP') return 'the folder is a symbolic link that points back to itself.'
  if (code === 'ENOSPC') return 'the disk is full.'
  return null
}
