/** What the store cannot do, as errors: their messages are for people. */

/** The store cannot do it now: full, read-only, locked or gone. Nothing of the operation was kept. */
export class StoreUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'StoreUnavailable'
  }
}

/** A question was given up, since its answer took too long. The message is for the person who waits. */
export class QueryTimeoutError extends Error {
  constructor(message = 'This took too long, and was given up. Narrow it down: a shorter time, or another filter.') {
    super(message)
    this.name = 'QueryTimeoutError'
  }
}

/** The store cannot be used at all. The message tells the operator what is wrong and what to do. */
export class StoreUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreUnusable'
  }
}

/** What the system's errors with files mean, in plain words; null for one that is not of a file. */
export function explainFileError(error: unknown): string | null {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'this user may not write there.'
  if (code === 'ENOENT') return 'there is no such folder.'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a file is where its folder should be.'
  if (code === 'ELOOP') return 'its folder is a link that leads back to itself.'
  if (code === 'ENOSPC') return 'the disk is full.'
  return null
}
