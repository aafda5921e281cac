/** Languages, figures, and questions: what no single value can say is checked here. */
import { isCalendarDate } from '../domain/dates.ts'
import { ENGLISH, knownLanguages, type Language } from '../domain/languages.ts'
import { AGE_BOUNDS } from '../domain/leads/lead.ts'
import { mistake, type Places, placeOf, type SiteFinding } from './findings.ts'
import type * as schema from './schema/facts.ts'
import type { Figure } from './types.ts'

export function languagesOf(listed: readonly string[], places: Places, findings: SiteFinding[]): readonly Language[] {
  const problem = (message: string) => findings.push(mistake(placeOf(places, 'organization.toml languages'), message))
  const unknown = listed.find(language => !knownLanguages.includes(language as Language))
  const known = knownLanguages.map(each => `"${each}"`).join(' and ')
  if (unknown !== undefined) problem(`languages lists “${unknown}”, but there are only ${known}.`)
  if (!listed.includes(ENGLISH)) problem('languages must have English: languages = ["en", "es"]')
  return knownLanguages.filter(language => listed.includes(language))
}

export function checkClosed(closed: readonly string[], places: Places, findings: SiteFinding[]): void {
  for (const day of closed.filter(each => !isCalendarDate(each)))
    findings.push(
      mistake(
        placeOf(places, 'organization.toml closed'),
        `closed lists “${day}”, which isn’t a date. Type each day as year, month, day: closed = ["2026-11-27"]`,
      ),
    )
}

/** What some figures say is decided elsewhere. */
function derivedFigure(
  name: string,
  { from, to }: schema.QuestionsFile['ages'],
  { checkDuration }: schema.EvidenceFile['figures'],
): { readonly from: string; readonly value: string } | null {
  if (name === 'checkTakes') return { from: 'checkDuration', value: checkDuration?.value ?? '' }
  if (name === 'audienceAge') return { from: 'ages in questions.toml', value: `${from}` }
  const isRange = name === 'audienceAgeRange' || name === 'questionAges'
  return isRange ? { from: 'ages in questions.toml', value: `${from}-${to}` } : null
}

/** Null: hidden. */
export function figuresOf(
  figures: schema.EvidenceFile['figures'],
  ages: schema.QuestionsFile['ages'],
  places: Places,
  findings: SiteFinding[],
): Readonly<Record<string, Figure | null>> {
  const problem = (name: string, message: string) =>
    findings.push(mistake(placeOf(places, `evidence.toml figures.${name}`), message))
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => {
      if (figure === null) return [name, null]
      const { since, until } = figure
      const derived = derivedFigure(name, ages, figures)
      if (derived && figure.value !== undefined)
        problem(name, `${name} comes from ${derived.from}. Delete its value here.`)
      if (since && until && isCalendarDate(until) && until < since)
        problem(
          `${name}.until`,
          `[figures.${name}] ends before since, ${since}. Type a later day: until = "2026-12-31"`,
        )
      if (!derived && figure.value === undefined) problem(name, `[figures.${name}] needs value: value = "…"`)
      return [name, { ...figure, value: derived?.value ?? figure.value ?? '' }]
    }),
  )
}

const QUESTION_ID = /^[A-Za-z][A-Za-z0-9]*$/

export function checkQuestions(
  { ages, questions }: schema.QuestionsFile,
  places: Places,
  findings: SiteFinding[],
): void {
  const problem = (key: string, message: string) =>
    findings.push(mistake(placeOf(places, `questions.toml ${key}`), message))
  const { from, to } = ages
  const isRead = findings.every(({ file, level }) => file !== 'questions.toml' || level === 'note')
  if (
    isRead &&
    (![from, to].every(age => Number.isInteger(age) && age >= AGE_BOUNDS.min && age <= AGE_BOUNDS.max) || from >= to)
  )
    problem('ages', '[ages] must be whole numbers of years, from the younger to the older: from = 55, to = 64')
  if (isRead && questions.length === 0)
    problem('questions', 'There must be at least one question: [questions.someName]')
  for (const { id } of questions) {
    // Webhook receivers use the ID as a JSON key.
    if (!QUESTION_ID.test(id))
      problem(
        `questions.${id}`,
        `A question’s name has only letters and digits, such as seesDoctor, but this one is: ${id}`,
      )
  }
}
