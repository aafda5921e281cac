/**
 * Testimonials. These are samples to show the layout: no real person said them, and publishing made-up testimonials is
 * illegal (16 CFR 465). Replace each with a real one, set `sample: false`, and record the permission. The launch check
 * rejects samples, and real testimonials without permission.
 */
import type { InEachLanguage, Language } from './languages.ts'

export interface Testimonial {
  readonly name: string
  /** What the person said, and its translations. Null hides it in that language. */
  readonly text: InEachLanguage<string | null>
  readonly sample: boolean
  /** When the person agreed to be quoted, and where the proof is kept ('signed release, client file 2231'). */
  readonly permission?: { readonly given: string; readonly record: string }
}

export const testimonials: readonly Testimonial[] = [
  {
    name: 'Linda',
    text: {
      en: "I'd put it off for a year because of the forms. They went through every page with me on the phone and never once made me feel rushed.",
      es: 'Lo dejé para después todo un año por los formularios. Revisaron cada página conmigo por teléfono y nunca me apuraron.',
    },
    sample: true,
  },
  {
    name: 'Robert',
    text: {
      en: 'After 31 years of warehouse work, my back gave out. My advocate knew which records to ask for and told me what came next, every time.',
      es: 'Después de 31 años en un almacén, la espalda no me dio para más. Mi representante sabía qué expedientes médicos pedir y siempre me decía lo que seguía.',
    },
    sample: true,
  },
  {
    name: 'María',
    text: {
      en: "What I remember is that someone called back when they said they would. I wasn't dealing with it alone anymore.",
      es: 'Lo que más recuerdo es que me llamaban cuando decían que iban a llamar. Ya no estaba sola.',
    },
    sample: true,
  },
]

/** The customer quote in the advertorial. Also a sample. Null hides it. */
export const advertorialQuote: Testimonial | null = {
  name: 'Carol',
  text: {
    en: "I figured that at 58 I'd be told to find other work. It turned out my age was one reason they took my claim seriously.",
    es: 'Pensé que a los 58 años me iban a decir que buscara otro trabajo. Resultó que mi edad fue una de las razones por las que tomaron en serio mi caso.',
  },
  sample: true,
}

/** The ones with a text in this language. */
export const testimonialsIn = (language: Language, all: readonly (Testimonial | null)[] = testimonials) =>
  all.flatMap(testimonial => {
    const text = testimonial?.text[language] ?? null
    return testimonial === null || text === null ? [] : [{ ...testimonial, text }]
  })
