/** The site's data by subject, and what follows from it. */
import type { Language } from '../domain/languages.ts'
import { data } from './data.ts'
import type { Testimonial } from './types.ts'

export const {
  advertorialQuote,
  callWords,
  formOff,
  headlineVariants,
  landingPages,
  languages,
  legalPages,
  organization,
  publishedOn,
  questions,
  testimonials,
  words,
} = data

export const { colors } = organization

/** In their own language, for the link to it. */
export const languageNames = { en: 'English', es: 'Español' } as const

/** The questions with their wording in one language. */
export const askedIn = (said: Readonly<Record<string, string>>) =>
  questions.map(({ id, required }) => ({ id, text: said[id] ?? '', required }))

/** The ones with a text in this language. */
export const testimonialsIn = (language: Language, all: readonly (Testimonial | null)[] = testimonials) =>
  all.flatMap(testimonial => {
    const text = testimonial?.text[language]
    return testimonial && text ? [{ ...testimonial, text }] : []
  })
