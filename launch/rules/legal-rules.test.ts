import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isCalendarDate } from '../../domain/dates.ts'
import { openOn } from '../../domain/launch/findings.ts'
import { named } from '../../tests/support/built-page.ts'
import { legalRules } from '../legal-rules.ts'
import { overdueRules, protectedNames } from './legal-rules.ts'

test('a rule is overdue from the day after its review date', () => {
  const hours = { rule: 'Calls from 8.', source: null, where: 'docs', reviewBy: '2027-05-18', everyDays: 182 }
  const overdueOn = (day: string, reviews = {}) => named(openOn(overdueRules({ hours }, reviews), day))
  expect(overdueOn('2027-05-18')).toEqual([])
  expect(overdueOn('2027-05-19')).toEqual(['legal_rule_overdue:hours'])
  const reviews = { hours: { by: 'Ana Ruiz, Esq.', on: '2027-05-10' } }
  expect(overdueOn('2027-11-08', reviews)).toEqual([])
  expect(overdueOn('2027-11-09', reviews)).toEqual(['legal_rule_overdue:hours'])
  for (const { reviewBy } of Object.values(legalRules)) expect(isCalendarDate(reviewBy)).toBe(true)
})

/** Sections: “47 CFR 64.1200”, “42 USC 1320b-10”, “KRS 367.46955”. Figures have their own sources. */
const CITATION =
  /\b\d+ (?:CFR|CMR|USC|U\.S\.C\.|FR|O\.S\.|P\.S\.) [\d.]+(?:[\w-]*\w)?|\b(?:KRS|RCW|CGS|SDCL|LPSC|Fla\. Stat\.|Miss\. Code|Utah Code|Com\. Law|Gen\. Laws|Admin\. Code|Civ\. Code|Prof\. Code|Com\. Code) [\w.-]*\w/g

test('every law cited in the docs, the launch check, and the call list is in the table', () => {
  const files = globSync([
    '{docs,content,domain,launch,cli,desk}/**/*.{ts,tsx,md,toml}',
    'server/{settings/config,process/log,alerts/launch-watch}.ts',
  ]).filter(file => !/evidence\.toml$|\.test\.ts$|legal-rules\.ts$|decisions\//.test(file))
  const sources = Object.values(legalRules)
    .map(({ source }) => source)
    .join('; ')
  const cited = files.flatMap(file =>
    (readFileSync(file, 'utf8').match(CITATION) ?? []).map(citation => ({ file, citation })),
  )
  expect(cited.length).toBeGreaterThan(50)
  // “16 CFR 465, 465.2” lists two sections.
  const isListed = (citation: string) =>
    sources.includes(citation) || sources.includes(`, ${citation.split(' ').at(-1)}`)
  expect(cited.filter(({ citation }) => !isListed(citation))).toEqual([])
})

test.each([
  ['Harbor Light Advocates', 'https://www.harborlight.test', []],
  ['Social Security Helpers', 'https://www.acme.test', ['protected_name:name']],
  ['SSA Claims', 'https://www.acme.test', ['protected_name:name']],
  ['Passage Massage', 'https://passage-massage.test', []],
  ['Acme', 'https://my-ssa.acme.test', ['protected_name:domain']],
  ['Acme', 'https://mysocialsecurityhelp.test', ['protected_name:domain']],
  ['Acme', 'https://social-security.acme.test', ['protected_name:domain']],
  ['Medicaid and SSI Experts', 'https://www.medicaidnow.test', ['protected_name:name', 'protected_name:domain']],
])('protected names in “%s” at %s: %j', (name, siteUrl, expected) => {
  expect(named(protectedNames(name, siteUrl))).toEqual(expected)
})
