/** Pages in other languages: reviewed by a lawyer, answered by someone who speaks the language, with the same figures as in English. */

import { languageName } from '../../domain/languages.ts'
import type { LaunchFinding } from '../../domain/launch/findings.ts'
import type { FoundText as Text } from '../../site-folder/types.ts'

interface LaunchFacts {
  readonly reviewed: { readonly by: string; readonly on: string } | null
  readonly answeredBy: string | null
  readonly stopWord: string | null
}

export function languageFindings(language: string, facts: LaunchFacts, today: string): readonly LaunchFinding[] {
  const subject = languageName(language)
  const { reviewed, answeredBy, stopWord } = facts
  const isReviewed = reviewed !== null && reviewed.by.trim() !== '' && reviewed.on <= today
  return [
    ...(isReviewed
      ? []
      : [{ code: 'language_not_reviewed', subject, change: { key: `reviews.toml languages.${language}` } } as const]),
    ...(stopWord?.trim()
      ? []
      : [
          {
            code: 'language_without_stop_word',
            subject,
            change: { key: 'organization.toml spanish.stopWord' },
          } as const,
        ]),
    ...(answeredBy?.trim()
      ? []
      : [
          { code: 'language_without_staff', subject, change: { key: 'organization.toml spanish.answeredBy' } } as const,
        ]),
  ]
}

const AMOUNT = /\$\d+(?:,\d{3})*(?:\.\d+)?|\b\d+(?:\.\d+)?\s?%/g

/** Dollar amounts and percentages that a text has in only one of its languages. A text that one language hides isn't compared. */
export function differingFigures(texts: readonly Text[]): readonly LaunchFinding[] {
  const english = new Map(texts.filter(({ language }) => language === 'en').map(({ name, text }) => [name, text]))
  return texts.flatMap(({ file, line, name, language, text }): LaunchFinding[] => {
    const original = english.get(name)
    if (language === 'en' || original === undefined) return []
    const [own, other] = [amountsIn(text), amountsIn(original)]
    const differing = [...own, ...other].filter(amount => !own.includes(amount) || !other.includes(amount))
    if (differing.length === 0) return []
    return [
      {
        code: 'figure_differs',
        subject: `${name} in ${language}`,
        detail: differing.join(', '),
        change: { file, line },
      },
    ]
  })
}

export const amountsIn = (text: string) => [
  ...new Set(Array.from(text.matchAll(AMOUNT), ([amount]) => amount.replaceAll(/\s/g, ''))),
]
