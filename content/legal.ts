/**
 * The legal pages, one Markdown file each in content/legal/. A file whose first line begins with `Draft:` is not published;
 * take that line out, and the page is there at its address. A file that is missing is no page, either. Node reads the
 * files; pages and browsers are given what it read by build/plugins.ts.
 */
import { existsSync, readFileSync } from 'node:fs'

const names = ['privacy', 'terms', 'hipaa', 'contact', 'help', 'accessibility'] as const

export type LegalPageName = (typeof names)[number]

export interface LegalPage {
  readonly path: string
  /** From the project's folder, to tell the operator where to look. */
  readonly file: string
  readonly isDraft: boolean
  readonly text: string
}

export function readLegalPage(name: LegalPageName, folder = new URL('./legal/', import.meta.url)): LegalPage {
  const file = new URL(`${name}.md`, folder)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : 'Draft: there is no such file.'
  return { path: `/${name}`, file: `content/legal/${name}.md`, isDraft: /^\s*draft\b/i.test(text), text }
}

export const legalPages = Object.fromEntries(names.map(name => [name, readLegalPage(name)])) as Readonly<
  Record<LegalPageName, LegalPage>
>
