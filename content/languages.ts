/**
 * The site's languages. English is at `/`, Spanish at `/es/`. To turn Spanish off, remove it from `languages`: there is then no
 * page at `/es/` and no link to it.
 *
 * Facts, such as figures, links, and the order of the questions, are in content/ once, for all languages. Words are in content/en
 * and content/es, in files with the same names. If a text is missing from one of them, or left over, the site isn't built.
 */
export type Language = 'en' | 'es'

export const languages: readonly Language[] = ['en', 'es']

interface LaunchFacts {
  /** The lawyer who reviewed its pages and consent: { by: 'Ana Ruiz, Esq.', on: '2026-11-01' }. */
  readonly reviewed: { readonly by: string; readonly on: string } | null
  /** Who answers the phone and calls in it: 'Luis and Carmen, all our hours'. With null, pages say that it may be in English. */
  readonly answeredBy: string | null
  /** The word that your texting service honors besides STOP: 'ALTO'. With null, pages mention only STOP. */
  readonly stopWord: string | null
}

/** For the launch check and the pages, for each language besides English. */
export const launchFacts: Readonly<Record<Exclude<Language, 'en'>, LaunchFacts>> = {
  es: { reviewed: null, answeredBy: null, stopWord: null },
}

/** In their own language, for the link to it. */
export const languageNames: InEachLanguage = { en: 'English', es: 'Español' }

/** One text for each language. */
export type InEachLanguage<Text = string> = Readonly<Record<Language, Text>>

/** A page's path in a language: `/decline` is at `/es/decline` in Spanish. */
export const pathIn = (language: Language, path: string) => (language === 'en' ? path : `/${language}${path}`)

/** The same texts in any wording. */
export type AnyText<Text> = Text extends string
  ? string
  : Text extends (...given: never) => string
    ? Text
    : { readonly [Part in keyof Text]: AnyText<Text[Part]> }

/**
 * The shape of a translation: the same texts, lists of the same length, and functions with the same arguments. Null hides a text
 * or a section where the page allows it, in either language.
 */
export type Translation<Text> = [Text] extends [null]
  ? unknown
  : null extends Text
    ? Translation<NonNullable<Text>> | null
    : Text extends string
      ? string | null
      : Text extends (...given: infer Given) => string
        ? (...given: Given) => string
        : { readonly [Part in keyof Text]: Translation<Text[Part]> } | null
