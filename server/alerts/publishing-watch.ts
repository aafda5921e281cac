/** Raises an alert while an edit of the organization's folder doesn't reach visitors. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '../../domain/durations.ts'
import { readPublishingStatus } from '../http/publishing-status.ts'
import type { Alerts } from './alerts.ts'

/** A message with more would be cut off. */
const MAX_NAMED = 3

const FETCH_LATE_MS = 15 * MINUTE

export function checkPublishing(
  alerts: Alerts,
  folder: string | null,
  { errors = readPublishingStatus()?.errors ?? [], now = Date.now() } = {},
): void {
  if (errors.length > 0) {
    const more = errors.length > MAX_NAMED ? ` And ${errors.length - MAX_NAMED} more: see Setup in the desk.` : ''
    const text = `The last change of the site isn’t live. ${errors.slice(0, MAX_NAMED).join(' ')}${more}`
    alerts.raise('site_not_published', text, { size: errors.length })
  }
  // deploy/fetch.sh touches it. There is none if files get to the folder in another way.
  const fetched = folder === null ? undefined : statSync(join(folder, '.git/fetched'), { throwIfNoEntry: false })
  if (fetched && now - fetched.mtimeMs > FETCH_LATE_MS) {
    const text =
      'The site’s folder can’t be fetched from its git repository, so edits there aren’t live. On the server, run: journalctl -u ssdi-advocate-fetch'
    alerts.raise('site_not_fetched', text)
  }
}
