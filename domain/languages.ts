/**
 * Languages as tags such as `en` and `es`. English pages have no prefix; the others start with their tag, such as `/es/decline`.
 * Which languages the site speaks is set in organization.toml.
 */

export const ENGLISH = 'en'

/** The languages that there are words for. */
export const knownLanguages = ['en', 'es'] as const
export type Language = (typeof knownLanguages)[number]

/** Tells the receiver which page a plain form came from. English forms don't have it. */
export const LANGUAGE_PARAMETER = 'language'

const TAG = /^[a-z]{2}$/

/** `/es/` and `/es/decline` are Spanish. A landing page's path has no second slash, so it's never mistaken for a language. */
export function languageOfPath(path: string): string {
  return /^\/([a-z]{2})\//.exec(path)?.[1] ?? ENGLISH
}

export function languageOfQuery(query: string): string {
  const language = new URLSearchParams(query).get(LANGUAGE_PARAMETER) ?? ''
  return TAG.test(language) ? language : ENGLISH
}

/** A form's own address isn't in a language's folder, so its query says which page it came from. */
export const languageOfRequest = ({ path, query }: { readonly path: string; readonly query: string }) =>
  path.startsWith('/api/') ? languageOfQuery(query) : languageOfPath(path)

/** `/decline` is at `/es/decline` in Spanish. */
export const pathInLanguage = (language: string, path: string) => (language === ENGLISH ? path : `/${language}${path}`)

/** `/es/decline` without its language is `/decline`. */
export const pathWithoutLanguage = (path: string) => path.replace(/^\/[a-z]{2}(?=\/)/, '')

/** A page's file: `not-found.html` is in the folder `es` in Spanish. */
export const fileIn = (language: string, file: string) => (language === ENGLISH ? file : `${language}/${file}`)

/** Only where it's used: browsers get this file, too. */
const names = /* @__PURE__ */ new Intl.DisplayNames('en-US', { type: 'language' })

/** The English name, for the call team: “Spanish”. */
export const languageName = (language: string) => names.of(language) ?? language
