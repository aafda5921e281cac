/** What every page, or every ad that reads like an article, must disclose. Contrast and size are checked by axe in the tests. */
import type { LaunchFinding } from '../findings.ts'
import { type BuiltPage, type Element, elements, nameOf, textOf } from '../page.ts'

const NOTICE =
  /\bnot\b[^.]*\b(?:affiliated|endorsed|connected|associated|part of)\b[^.]*\bSocial Security Administration\b[^.]*\b(?:government|agency)\b/i
const LABEL = /\b(?:sponsored|advertisement|paid (?:post|content|advertisement))\b/i

/** Nobody may take the site for the Social Security Administration's (42 USC 1320b-10). */
export function noticeFindings(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  return pages
    .filter(({ root }) => !elements(root, 'p').some(paragraph => NOTICE.test(textOf(paragraph))))
    .map(page => ({
      code: 'affiliation_notice_missing',
      subject: nameOf(page),
      change: { after: ['affiliated with'] },
    }))
}

/** An ad that reads like an article says so before anything else (15 USC 45; FTC, 81 FR 22596). */
export function advertorialFindings(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  return pages
    .filter(isAdvertorial)
    .filter(({ root }) => !LABEL.test(elements(root, 'main').map(firstText)[0] ?? ''))
    .map(page => ({
      code: 'advertorial_label_missing',
      subject: nameOf(page),
      change: { after: ['sponsoredLabel:'] },
    }))
}

/** An article with the form in it. */
function isAdvertorial({ root }: BuiltPage): boolean {
  return elements(root, 'article').some(article => elements(article, 'form').length > 0)
}

/** The text of the innermost element that holds the first words. */
function firstText(element: Element): string {
  if (element.children.some(child => typeof child === 'string' && child.trim() !== '')) return textOf(element)
  const first = element.children.find(child => typeof child !== 'string' && textOf(child) !== '')
  return first === undefined || typeof first === 'string' ? '' : firstText(first)
}
