/** Raises an alert while an edit of the organization's folder doesn't reach visitors. */
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '../../domain/durations.ts'
import { withoutText } from '../../domain/text/text-blocks.ts'
import { readPublishingStatus } from '../http/publishing-status.ts'
import { type Alerts, minute } from './alerts.ts'

/** A message with more would be cut off. */
const MAX_NAMED = 3

const FETCH_LATE_MS = 15 * MINUTE
const PUBLISH_LATE_MS = 5 * MINUTE

interface Watched {
  readonly folder: string | null
  readonly timeZone: string
  /** When the site that's live was published. Null if there is none, or it was built in a checkout, where nothing publishes. */
  readonly publishedAt: string | null
  /** Whether another server has shown a newer site for a while. */
  readonly isBehind: boolean
  /** Names of reviewed texts. */
  readonly unknownTexts: readonly string[]
}

export function checkPublishing(
  alerts: Alerts,
  { folder, timeZone, publishedAt, isBehind, unknownTexts }: Watched,
  { status = readPublishingStatus(), now = Date.now() } = {},
): void {
  const { errors = [], triedAt = null } = status ?? {}
  const problem = problemWith(errors, isBehind, triedAt !== null && isEditedSince(folder, Date.parse(triedAt), now))
  if (problem !== null) {
    const effect =
      publishedAt === null
        ? 'There’s no site yet, only pages that say so. Requests not to be called are taken.'
        : `The last change of the site isn’t live: visitors see the site of ${minute(Date.parse(publishedAt), timeZone)}.`
    alerts.raise('site_not_published', `${effect} ${problem}`, { size: errors.length })
  }
  if (unknownTexts.length > 0) {
    const files = unknownTexts.map(name => `${name}.md`).join(', ')
    const effects = [...new Set(unknownTexts.map(withoutText))].join(', ')
    const text = `${files} was edited since its review, and the reviewed text isn’t known on this server, so ${effects}. Have the edit reviewed, or put the reviewed text back: Setup in the desk says how.`
    alerts.raise('form_off', text, { size: unknownTexts.length })
  }
  // deploy/fetch.sh touches it. There is none if files get to the folder in another way.
  const fetchedAt = folder === null ? null : timeOf(join(folder, '.git/fetched'))
  if (fetchedAt !== null && now - fetchedAt > FETCH_LATE_MS) {
    const text =
      'The site’s folder can’t be fetched from its git repository, so edits there aren’t live. On the server, run: journalctl -u ssdi-advocate-fetch'
    alerts.raise('site_not_fetched', text)
  }
}

function problemWith(errors: readonly string[], isBehind: boolean, isWaiting: boolean): string | null {
  if (errors.length > 0) {
    const more = errors.length > MAX_NAMED ? ` And ${errors.length - MAX_NAMED} more: see Setup in the desk.` : ''
    return `${errors.slice(0, MAX_NAMED).join(' ')}${more}`
  }
  // The disk may be full, or memory short.
  if (isWaiting) return 'On the server, run: journalctl -u ssdi-advocate-publish'
  if (isBehind) return 'Another server shows a newer one. Copy the folder to this server, too.'
  return null
}

/** Null if there is none, or only the program that publishes can read it. */
function timeOf(file: string): number | null {
  try {
    return statSync(file).mtimeMs
  } catch {
    return null
  }
}

/** Whether a file was changed after the last attempt to publish, and that's a while ago. */
function isEditedSince(folder: string | null, triedAt: number, now: number): boolean {
  if (folder === null) return false
  try {
    const folders = ['', 'legal', 'pictures'].map(name => join(folder, name)).filter(each => existsSync(each))
    const times = folders.flatMap(inside => {
      const files = readdirSync(inside).filter(file => file !== '.git')
      return [inside, ...files.map(file => join(inside, file))].map(path => lstatSync(path).ctimeMs)
    })
    const edited = Math.max(...times)
    return edited > triedAt && edited < now - PUBLISH_LATE_MS
  } catch {
    // Only the program that publishes may be able to read it.
    return false
  }
}
