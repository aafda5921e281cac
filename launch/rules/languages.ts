/** Pages in Spanish: reviewed by a lawyer, answered by someone who speaks the language, with the same figures as in English. */

import { languageName } from '../../domain/languages.ts'
import type { LaunchFinding } from '../../domain/launch/findings.ts'
import type { Organization, FoundText as Text } from '../../site-folder/types.ts'

export function spanishFindings(
  reviewed: { readonly on: string } | undefined,
  version: string,
  { answeredBy, stopWord }: Organization['spanish'],
  today: string,
): readonly LaunchFinding[] {
  const isMissing: readonly (readonly [LaunchFinding['code'], missing: boolean, key: string])[] = [
    ['language_not_reviewed', reviewed === undefined || reviewed.on > today, 'reviews.toml languages.es'],
    ['language_without_stop_word', !stopWord, 'organization.toml spanish.stopWord'],
    ['language_without_staff', !answeredBy, 'organization.toml spanish.answeredBy'],
  ]
  return isMissing.flatMap(([code, missing, key]) =>
    missing ? { code, subject: languageName('es'), detail: version, change: { key } } : [],
  )
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
