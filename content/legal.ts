/**
 * The legal pages, one Markdown file each in content/en/legal/ and its counterparts. A file that starts with `Draft:` isn't published: delete that
 * line to publish it. Node reads the files; build/plugins.ts passes the text to pages and browsers.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type InEachLanguage, type Language, languages, pathIn } from './languages.ts'

const names = ['privacy', 'terms', 'hipaa', 'contact', 'help', 'accessibility'] as const

export type LegalPageName = (typeof names)[number]

export interface LegalPage {
  readonly path: string
  /** Relative to the project folder, for error messages. */
  readonly file: string
  readonly isDraft: boolean
  readonly text: string
}

export function readLegalPage(
  language: Language,
  name: LegalPageName,
  folder = new URL(`./${language}/legal/`, import.meta.url),
): LegalPage {
  const file = new URL(`${name}.md`, folder)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : 'Draft: the file is missing.'
  return {
    path: pathIn(language, `/${name}`),
    file: `content/${language}/legal/${name}.md`,
    isDraft: /^\s*draft\b/i.test(text),
    text,
  }
}

const pagesIn = (language: Language) =>
  Object.fromEntries(names.map(name => [name, readLegalPage(language, name)])) as Readonly<
    Record<LegalPageName, LegalPage>
  >

export const legalPages = Object.fromEntries(
  languages.map(language => [language, pagesIn(language)]),
) as InEachLanguage<Readonly<Record<LegalPageName, LegalPage>>>
