/** Pages in other languages: reviewed by a lawyer, answered by someone who speaks the language, with the same figures as in English. */
import { languageName, languageOfPath, pathWithoutLanguage } from '../../domain/languages.ts'
import type { LaunchFinding } from '../../server/launch/findings.ts'
import { type BuiltPage, nameOf, wordsOf } from '../page.ts'

interface LaunchFacts {
  readonly reviewed: { readonly by: string; readonly on: string } | null
  readonly answeredBy: string | null
}

export function languageFindings(language: string, facts: LaunchFacts, today: string): readonly LaunchFinding[] {
  const subject = languageName(language)
  const change = (field: string) => ({
    file: 'content/languages.ts',
    after: ['launchFacts', `${language}: {`, field],
  })
  const { reviewed, answeredBy } = facts
  const isReviewed = reviewed !== null && reviewed.by.trim() !== '' && reviewed.on <= today
  return [
    ...(isReviewed ? [] : [{ code: 'language_not_reviewed', subject, change: change('reviewed:') } as const]),
    ...(answeredBy?.trim()
      ? []
      : [{ code: 'language_without_staff', subject, change: change('answeredBy:') } as const]),
  ]
}

const AMOUNT = /\$\d[\d,]*(?:\.\d+)?|\b\d+(?:\.\d+)?\s?%/g

/** Dollar amounts and percentages that a page has in only one of its languages. */
export function differingFigures(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  return pages.flatMap((page): LaunchFinding[] => {
    const english = pages.find(({ path }) => path !== null && path === pathWithoutLanguage(page.path ?? ''))
    if (page.path === null || languageOfPath(page.path) === 'en' || !english) return []
    const [own, other] = [amountsIn(page), amountsIn(english)]
    const differing = [...own, ...other].filter(amount => !own.has(amount) || !other.has(amount))
    if (differing.length === 0) return []
    const [first = ''] = differing
    return [{ code: 'figure_differs', subject: nameOf(page), detail: differing.join(', '), change: { after: [first] } }]
  })
}

const amountsIn = ({ root }: BuiltPage) =>
  new Set([...wordsOf(root).matchAll(AMOUNT)].map(([amount]) => amount.replaceAll(/\s/g, '')))
