/** The figures in words. The values, sources, and dates are in content/figures.ts. */
import { ages, checkMinutes, figures as facts, workYears } from '../figures.ts'

export const figures = {
  maximumBenefit: `${facts.maximumBenefit.value}/Month`,
  averageBenefit: facts.averageBenefit.value,
  initialDenials: `about ${facts.initialDenials.value}`,
  initialDenialsAdvertorial: `over ${facts.initialDenialsAdvertorial.value}`,
  feeShare: facts.feeShare.value,
  feeCap: facts.feeCap.value,
  initialDecisionTime: `${facts.initialDecisionTime.value} months`,
  medicareWait: `${facts.medicareWait.value} months`,
  impairmentDuration: `${facts.impairmentDuration.value} months`,
  workHistory: `${workYears.worked} of the last ${workYears.last} years`,
  insuredAfterWork: `about ${numberWords(Number(facts.insuredAfterWork.value)).inside} years`,
  retroactiveLimit: `${facts.retroactiveLimit.value} months`,
  fullRetirementAge: facts.fullRetirementAge.value,
  continuationDays: `${facts.continuationDays.value} days`,
  audienceAge: `${ages.from}`,
  audienceAgeRange: `${ages.from}-${ages.to}`,
  questionAges: `between ${ages.from} and ${ages.to}`,
  checkTakes: `about ${numberWords(checkMinutes).inside} minutes`,
  checkDuration: `${checkMinutes}-minute`,
  spotsRemaining: facts.spotsRemaining.value,
} as const satisfies Readonly<Record<keyof typeof facts, string>>

/** Spells out a number: “six”, or “Six” at the start of a sentence. Numbers above twelve are left as digits. */
export function numberWords(number: number): { readonly inside: string; readonly first: string } {
  const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')
  const inside = words[number] ?? String(number)
  return { inside, first: inside.charAt(0).toUpperCase() + inside.slice(1) }
}
