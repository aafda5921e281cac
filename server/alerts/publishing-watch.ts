/** Raises an alert while a change of the organization's folder can't be published. */
import { readPublishingStatus } from '../http/publishing-status.ts'
import type { Alerts } from './alerts.ts'

/** A message with more would be cut off. */
const MAX_NAMED = 3

export function checkPublishing(alerts: Alerts, errors = readPublishingStatus()?.errors ?? []): void {
  if (errors.length === 0) return
  const more = errors.length > MAX_NAMED ? ` And ${errors.length - MAX_NAMED} more: see Setup in the desk.` : ''
  const text = `The last change of the site isn’t live. ${errors.slice(0, MAX_NAMED).join(' ')}${more}`
  alerts.raise('site_not_published', text, { size: errors.length })
}
