/** What isn't wrong in a site's texts, but good to know: the launch check and the desk's Setup page say it, and nothing waits for it. */
import type { LaunchNote } from '../domain/launch/findings.ts'
import { formatFinding } from '../site-folder/findings.ts'
import { changedInOneLanguage } from '../site-folder/texts.ts'
import type { SiteData } from '../site-folder/types.ts'

export function siteNotes(folder: string | null, data: SiteData): readonly LaunchNote[] {
  const { languages, publishedOn, reviews, spanishVersion: version } = data
  const notes = changedInOneLanguage(folder, data).map(note => ({
    id: 'changed_in_one_language',
    reason: formatFinding(note),
  }))
  const review = languages.includes('es') ? reviews.languages.es : undefined
  // Consents wait for their own review. Another text is live at once, as in English.
  if (review && review.version !== version) {
    const reason = `Texts in Spanish were edited since ${review.by} reviewed them on ${review.on}. When someone has reviewed the edits, too, type that day and version = "${version}" under [languages.es] in reviews.toml.`
    notes.push({ id: 'language_edited', reason })
  }
  // The article may well be current.
  if (publishedOn === null) {
    const reason =
      'The advertorial always shows today’s date, so an old article looks new. For a fixed date, set advertorialDate in organization.toml.'
    notes.push({ id: 'advertorial_date', reason })
  }
  return notes
}
