import type { SiteData } from './types.ts'

/** The ages that a qualified visitor has confirmed, or null if no question asks. */
export const confirmedAgesOf = ({ ages, questions }: Pick<SiteData, 'ages' | 'questions'>) =>
  questions.some(({ id, required }) => id === 'ageInBounds' && required === 'yes') ? ages : null
