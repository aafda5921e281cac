/** Every text in content/ that visitors read, with its file: for the checks before each build and before the launch. */
import { callWords } from './calls.ts'
import { figures } from './figures.ts'
import { headlineVariants } from './headline-variants.ts'
import { landingPages } from './landing-pages.ts'
import { type Language, languages } from './languages.ts'
import { legalPages } from './legal.ts'
import { organization } from './organization.ts'
import { advertorialQuote, testimonials } from './testimonials.ts'
import { words } from './words.ts'

export const textsByFile: Readonly<Record<string, unknown>> = {
  'organization.ts': organization,
  'figures.ts': figures,
  'testimonials.ts': { testimonials, advertorialQuote },
  'headline-variants.ts': headlineVariants,
  'landing-pages.ts': landingPages,
  ...Object.assign({}, ...languages.map(wordFiles)),
}

function wordFiles(language: Language): Readonly<Record<string, unknown>> {
  const said = words[language]
  const published = Object.entries(legalPages[language]).filter(([, { isDraft }]) => !isDraft)
  const files = {
    'figures.ts': said.figures,
    'claims.ts': said.claims,
    'questions.ts': said.questions,
    'landing.ts': said.landing,
    'advertorial.ts': said.advertorial,
    'thank-you.ts': said.thankYou,
    'decline.ts': said.decline,
    'stop.ts': said.stopContact,
    'calls.ts': callWords[language],
    'errors.ts': [said.notFound, said.applicationError, said.submissionError],
    'shared.ts': {
      description: said.description,
      header: said.header,
      footer: said.footer,
      links: said.links,
      legalWords: said.legalWords,
    },
    'contact-form.ts': [
      ...[said.contactForm, said.contactMessages, said.toasts, { consent: said.consent }],
      ...[said.submissionFailedHelp, said.offlineHelp],
    ],
    'questionnaire.ts': [said.questionnaire, said.plainForm],
    ...Object.fromEntries(published.map(([name, { text }]) => [`legal/${name}.md`, text])),
  }
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${language}/${file}`, text]))
}

export interface Text {
  /** Relative to the project folder. */
  readonly file: string
  /** The same for its translations, such as 'landing.ts hero headline'. */
  readonly name: string
  readonly language: Language
  readonly text: string
}

/** Figures and claims have their own files. Visitors see them only where another text uses them. */
export const isPart = ({ file }: Text) => /\/(?:figures|claims)\.ts$/.test(file)

/** The texts in the site's languages. Those in both, such as an address, count as English. */
export function textsIn(files = textsByFile): readonly Text[] {
  return Object.entries(files).flatMap(([file, value]) => {
    const [, language = 'en', name = file] = /^(?:(\w\w)\/)?(.*)/.exec(file) ?? []
    return walk(value, { file: `content/${file}`, name, language: language as Language })
  })
}

function walk(value: unknown, at: Omit<Text, 'text'>): readonly Text[] {
  if (typeof value === 'string') return [{ ...at, text: value.replaceAll(/\s+/g, ' ').trim() }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inside]) => {
    // Such as { en: '…', es: '…' }.
    if (key in words)
      return languages.includes(key as Language) ? walk(inside, { ...at, language: key as Language }) : []
    return walk(inside, { ...at, name: `${at.name} ${key}` })
  })
}
