/** An advertisement that reads like an article says that it is one before anything else (15 USC 45; FTC, 81 FR 22596). */
import type { LaunchFinding } from '../../domain/launch/finding.ts'
import { illegible } from '../legibility.ts'
import { type BuiltPage, type Element, elements, nameOf, textOf } from '../page.ts'

const LABEL = /\b(?:sponsored|advertisement|paid (?:post|content|advertisement))\b/i

export function advertorialFindings(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  return pages.filter(isAdvertorial).flatMap((page): LaunchFinding[] => {
    const subject = nameOf(page)
    const change = { after: ['sponsoredLabel:'] }
    const first = elements(page.root, 'main').map(firstText)[0] ?? null
    if (first === null || !LABEL.test(textOf(first))) return [{ code: 'advertorial_label_missing', subject, change }]
    const detail = illegible(first, page)
    return detail === null ? [] : [{ code: 'advertorial_label_illegible', subject, detail, change }]
  })
}

/** An article with the form in it. */
function isAdvertorial({ root }: BuiltPage): boolean {
  return elements(root, 'article').some(article => elements(article, 'form').length > 0)
}

/** The innermost element that holds the first words. */
function firstText(element: Element): Element | null {
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') return element
    } else if (textOf(child) !== '') return firstText(child)
  }
  return null
}
