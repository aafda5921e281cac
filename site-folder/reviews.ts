/** Records in reviews.toml who reviewed a text, a language, or a legal rule. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownLanguages, type Language } from '../domain/languages.ts'
import type { SiteData } from './types.ts'

export function recordReview(
  folder: string,
  { reviewable }: Pick<SiteData, 'reviewable'>,
  what: string,
  by: string,
  on: string,
): string {
  const text = reviewable[what.replace(/\.md$/, '')]
  const section = sectionOf(what.replace(/\.md$/, ''), text !== undefined)
  const file = join(folder, 'reviews.toml')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const others = before.split(/^(?=\[)/m).filter(part => !part.startsWith(section))
  const version = text ? `version = "${text.version}"\n` : ''
  const lines = `${section}\nby = ${JSON.stringify(by)}\non = "${on}"\n${version}`
  writeFileSync(file, `${others.join('').trimEnd()}\n\n${lines}`.trimStart())
  return `Recorded in reviews.toml:\n\n${lines}`
}

function sectionOf(what: string, isText: boolean): string {
  if (isText) return `[texts."${what}"]`
  return `[${knownLanguages.includes(what as Language) ? 'languages' : 'rules'}.${what}]`
}
