/** Legal pages that are drafts, and texts that were never filled in. */
import type { LaunchFinding } from '../findings.ts'
import { type BuiltPage, elements, nameOf, textOf } from '../page.ts'

interface LegalPage {
  readonly file: string
  readonly isDraft: boolean
}

/** A page of that kind at another address makes ours unnecessary. */
export function legalFindings<Name extends string>(
  legalPages: Readonly<Record<Name, LegalPage>>,
  elsewhere: Readonly<Record<Name, string | null>>,
): readonly LaunchFinding[] {
  return Object.entries<LegalPage>(legalPages)
    .filter(([name, { isDraft }]) => isDraft && elsewhere[name as Name] === null)
    .map(([, { file }]) => ({ code: 'legal_draft', subject: file, change: { file, after: ['Draft'] } }))
}

const PLACEHOLDER = /\[[^\]]{3,}\]|\blorem ipsum\b|\bTODO\b|\bTBD\b/i

export function placeholderFindings(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  return pages.flatMap((page): LaunchFinding[] => {
    const body = elements(page.root, 'body')[0]
    const [words] = (body && PLACEHOLDER.exec(textOf(body))) ?? []
    if (words === undefined) return []
    return [{ code: 'placeholder_text', subject: nameOf(page), detail: words, change: { after: [words] } }]
  })
}
