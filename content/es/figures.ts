/** The figures in Spanish. The values, sources, and dates are in content/figures.ts. */
import type { figures as english } from '../en/figures.ts'
import { ages, checkMinutes, figures as facts, workYears } from '../figures.ts'
import type { Translation } from '../languages.ts'

export const figures = {
  maximumBenefit: `${facts.maximumBenefit.value} al mes`,
  averageBenefit: facts.averageBenefit.value,
  initialDenials: `cerca del ${facts.initialDenials.value}`,
  initialDenialsAdvertorial: `más del ${facts.initialDenialsAdvertorial.value}`,
  feeShare: facts.feeShare.value,
  feeCap: facts.feeCap.value,
  initialDecisionTime: `de ${facts.initialDecisionTime.value.replace('-', ' a ')} meses`,
  medicareWait: `${facts.medicareWait.value} meses`,
  impairmentDuration: `${facts.impairmentDuration.value} meses`,
  workHistory: `${workYears.worked} de los últimos ${workYears.last} años`,
  insuredAfterWork: `unos ${numberWords(Number(facts.insuredAfterWork.value)).inside} años`,
  retroactiveLimit: `${facts.retroactiveLimit.value} meses`,
  fullRetirementAge: `${facts.fullRetirementAge.value} años`,
  continuationDays: `${facts.continuationDays.value} días`,
  audienceAge: `${ages.from}`,
  audienceAgeRange: `de ${ages.from} a ${ages.to}`,
  questionAges: `entre ${ages.from} y ${ages.to}`,
  checkTakes: `unos ${numberWords(checkMinutes).inside} minutos`,
  checkDuration: `${checkMinutes} minutos`,
  spotsRemaining: facts.spotsRemaining.value,
} as const satisfies Translation<typeof english>

/** Spells out a number: “seis”, or “Seis” at the start of a sentence. Numbers above twelve are left as digits. */
export function numberWords(number: number): { readonly inside: string; readonly first: string } {
  const words = 'cero un dos tres cuatro cinco seis siete ocho nueve diez once doce'.split(' ')
  const inside = words[number] ?? String(number)
  return { inside, first: inside.charAt(0).toUpperCase() + inside.slice(1) }
}
