/**
 * The legal pages, one Markdown file each in content/legal/. A file that starts with `Draft:` isn't published: delete that
 * line to publish it. Node reads the files; build/plugins.ts passes the text to pages and browsers.
 */
import { existsSync, readFileSync } from 'node:fs'

const names = ['privacy', 'terms', 'hipaa', 'contact', 'help', 'accessibility'] as const

export type LegalPageName = (typeof names)[number]

export interface LegalPage {
  readonly path: string
  /** Relative to the project folder, for error messages. */
  readonly file: string
  readonly isDraft: boolean
  readonly text: string
}

export function readLegalPage(name: LegalPageName, folder = new URL('./legal/', import.meta.url)): LegalPage {
  const file = new URL(`${name}.md`, folder)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : 'Draft: the file is missing.'
  return { path: `/${name}`, file: `content/legal/${name}.md`, isDraft: /^\s*draft\b/i.test(text), text }
}

export const legalPages = Object.fromEntries(names.map(name => [name, readLegalPage(name)])) as Readonly<
  Record<LegalPageName, LegalPage>
>
