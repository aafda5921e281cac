/** Nobody may take the site for the Social Security Administration's (42 USC 1320b-10): every page says so, legibly. */
import type { LaunchFinding } from '../../domain/launch/finding.ts'
import { illegible } from '../legibility.ts'
import { type BuiltPage, elements, nameOf, textOf } from '../page.ts'

const NOTICE =
  /\bnot\b[^.]*\b(?:affiliated|endorsed|connected|associated|part of)\b[^.]*\bSocial Security Administration\b[^.]*\b(?:government|agency)\b/i

export function noticeFindings(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  return pages.flatMap((page): LaunchFinding[] => {
    const change = { after: ['affiliated with'] }
    // The paragraph itself, not what it stands in.
    const notices = elements(page.root, 'p').filter(paragraph => NOTICE.test(textOf(paragraph)))
    if (notices.length === 0) return [{ code: 'affiliation_notice_missing', subject: nameOf(page), change }]
    const faults = notices.map(notice => illegible(notice, page))
    const [fault] = faults
    if (!fault || faults.includes(null)) return []
    return [{ code: 'affiliation_notice_illegible', subject: nameOf(page), detail: fault, change }]
  })
}
