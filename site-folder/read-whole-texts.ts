/** Reads the consents and legal pages of every language. With a folder, they're in it: an upgrade must not bring other words. */
import { knownLanguages, type Language } from '../domain/languages.ts'
import { SITE } from '../server/settings/leads-command.ts'
import { readConsent, readSpokenConsent } from './consent.ts'
import type { Files, TextFile } from './files.ts'
import { mistake, type SiteFinding } from './findings.ts'
import type { Inserts } from './inserts.ts'
import { isLegalPage, readLegalPage } from './legal.ts'
import { legalPageNames } from './schema/texts.ts'
import type { Organization } from './types.ts'
import type { WholeText } from './whole-text.ts'

/** `insertsIn`: with urgent facts as names. */
export function readWholeTexts(
  files: Pick<Files, 'whole'>,
  { legalName, phone, legal: elsewhere }: Organization,
  languages: readonly Language[],
  insertsIn: (language: Language) => Inserts,
  findings: SiteFinding[],
): readonly WholeText[] {
  const said = { legalName, phone: '{phone}' }
  const isPage = (name: string) => name === 'stop' || name === '#consent' || isLegalPage(name)
  /** `hint`: if the file has to be there. */
  const read = (file: string, parse: (source: TextFile) => WholeText, hint?: string): readonly WholeText[] => {
    const source = files.whole(file)
    if (source !== null) return [parse(source)]
    if (hint !== undefined && !findings.some(finding => finding.file === file))
      findings.push(
        mistake({ file, line: null }, `This file is missing. ${SITE} new makes it, from the original.${hint}`),
      )
    return []
  }
  return knownLanguages.flatMap(language => [
    ...read(`consent.${language}.md`, source => readConsent(source, said, phone, isPage, findings), ''),
    ...read(`consent.spoken.${language}.md`, source => readSpokenConsent(source, said, phone, findings), ''),
    ...legalPageNames.flatMap(name => {
      const needsFile = languages.includes(language) && elsewhere[name]?.[language] === undefined
      const hint = ` If the page is on another site, add [legal] ${name}.${language} = "https://…" to organization.toml.`
      return read(
        `legal/${name}.${language}.md`,
        source => readLegalPage(source, insertsIn(language), phone, findings),
        needsFile ? hint : undefined,
      )
    }),
  ])
}
