/** The law: rules due for review, and names that Section 1140 of the Social Security Act protects. */

import { addDays } from '../../domain/dates.ts'
import type { LaunchFinding } from '../../domain/launch/findings.ts'
import type { SiteData } from '../../site-folder/types.ts'
import type { LegalRule } from '../legal-rules.ts'

/** From the day after, until someone reviews the rule. */
export const overdueRules = (
  rules: Readonly<Record<string, LegalRule>>,
  reviews: SiteData['reviews']['rules'],
): readonly LaunchFinding[] =>
  Object.entries(rules).map(([subject, { rule, source, where, reviewBy, everyDays }]) => {
    const reviewed = reviews[subject]
    const due = [reviewBy, reviewed ? addDays(reviewed.on, everyDays) : ''].toSorted().at(-1) ?? reviewBy
    return {
      code: 'legal_rule_overdue',
      subject,
      detail: [source ?? 'no source', `${rule} Used in ${where}.`].join('\n'),
      from: addDays(due, 1),
      change: { key: `reviews.toml rules.${subject}` },
    }
  })

/** 42 USC 1320b-10(a)(1). The statute also covers variations, which only a lawyer can judge. */
const LONG_NAMES = [
  'Social Security',
  'Supplemental Security Income',
  'Medicare',
  'Medicaid',
  'Health and Human Services',
  'Health Care Financing',
  'Federal Benefit Information',
  'Death Benefits Update',
  'Funeral Expenses',
  'Final Supplemental',
]
const LETTERS = ['SSA', 'SSI', 'CMS', 'HHS', 'DHHS', 'HCFA']

/** In the name, whole words. In the domain, letters as a part between dots and hyphens, and long names anywhere. */
export function protectedNames(name: string, siteUrl: string): readonly LaunchFinding[] {
  const words = ` ${wordsOf(name).join(' ')} `
  const inName = [...LONG_NAMES, ...LETTERS].filter(each => words.includes(` ${each.toLowerCase()} `))
  const parts = wordsOf(new URL(siteUrl).hostname)
  const inDomain = [
    ...LONG_NAMES.filter(each => parts.join('').includes(each.toLowerCase().replaceAll(' ', ''))),
    ...LETTERS.filter(each => parts.includes(each.toLowerCase())),
  ]
  const finding = (subject: string, found: readonly string[], change: LaunchFinding['change']): LaunchFinding[] =>
    found.length === 0 ? [] : [{ code: 'protected_name', subject, detail: found.join(', '), change }]
  return [
    ...finding('name', inName, { key: 'organization.toml name' }),
    ...finding('domain', inDomain, { setting: 'SITE_URL' }),
  ]
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
