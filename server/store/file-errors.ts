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
