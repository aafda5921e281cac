/** Which pages the site has besides its own: legal pages, campaigns' landing pages, and headlines to test. */
import { ENGLISH, knownLanguages, type Language } from '../domain/languages.ts'
import { ORIGINAL, VARIANT_NAME } from '../domain/variants.ts'
import type { Files } from './files.ts'
import { mistake, type Places, placeOf, type SiteFinding } from './findings.ts'
import type { Inserts } from './inserts.ts'
import { type LegalPage, type LegalPageName, readLegalPage } from './legal.ts'
import type * as schema from './schema/facts.ts'
import { legalPageNames } from './schema/texts.ts'
import type { InEachLanguage, SiteData } from './types.ts'
import type { SaidInLanguage } from './words.ts'

export const inEach = <Value>(of: (language: Language) => Value): InEachLanguage<Value> =>
  Object.fromEntries(knownLanguages.map(language => [language, of(language)])) as unknown as InEachLanguage<Value>

export const isLegalPage = (name: string): name is LegalPageName => legalPageNames.includes(name as LegalPageName)

/** With a folder, a page is in it or on another site: an upgrade must not bring other words. */
export function checkLegalPages(
  files: Files,
  languages: readonly Language[],
  elsewhere: schema.OrganizationFile['legal'],
  findings: SiteFinding[],
): void {
  for (const language of languages)
    for (const name of legalPageNames) {
      const file = `legal/${name}.${language}.md`
      if (elsewhere[name]?.[language] === undefined && files.whole(file) === null)
        findings.push(
          mistake(
            { file, line: null },
            `This file is missing. npm run site -- new makes it, from the original. If the page is on another site, add [legal] ${name}.${language} = "https://…" to organization.toml.`,
          ),
        )
    }
}

export function legalPagesOf(
  language: Language,
  files: Files,
  inserts: Inserts,
  findings: SiteFinding[],
): Readonly<Record<LegalPageName, LegalPage>> {
  const pages = legalPageNames.map(name => {
    const found = files.whole(`legal/${name}.${language}.md`)
    return [name, readLegalPage(language, name, found, inserts, findings)]
  })
  return Object.fromEntries(pages)
}

const PATH = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
/** Our own pages, and files that the server and browsers ask for. */
const RESERVED = [
  'advertorial',
  'thank-you',
  'decline',
  'stop',
  ...legalPageNames,
  'index',
  'error',
  'not-found',
  'plain-form',
  'submission-error',
  'stop-form',
  'stop-done',
  'stop-error',
  'variants',
  'api',
  'assets',
  'healthz',
  'readyz',
  'metrics',
  'manifest',
  'fingerprint',
  'favicon',
  'robots',
  'sitemap',
  ...knownLanguages,
]

export function landingPagesOf(
  said: InEachLanguage<SaidInLanguage>,
  languages: readonly Language[],
  findings: SiteFinding[],
  places: Places,
): SiteData['landingPages'] {
  const names = [...new Set(languages.flatMap(language => Object.keys(said[language].pages)))]
  for (const name of names) {
    const language = languages.find(each => said[each].pages[name]) ?? ENGLISH
    const at = placeOf(places, `${language}.toml pages.${name}`)
    if (RESERVED.includes(name))
      findings.push(mistake(at, `/${name} is already used. Choose another name for [pages.${name}].`))
    else if (!PATH.test(name))
      findings.push(
        mistake(at, `[pages.${name}] must be a path such as [pages.veterans]: lowercase letters, digits, and dashes.`),
      )
  }
  return names.map(name => ({ path: `/${name}`, ...inEach(language => said[language].pages[name] ?? null) }))
}

export function headlinesOf(
  said: InEachLanguage<SaidInLanguage>,
  findings: SiteFinding[],
  places: Places,
): SiteData['headlineVariants'] {
  const names = [...new Set(knownLanguages.flatMap(language => said[language].headlines.map(({ id }) => id)))]
  for (const name of names) {
    if (VARIANT_NAME.test(name) && name !== ORIGINAL) continue
    const language = knownLanguages.find(each => said[each].headlines.some(({ id }) => id === name)) ?? ENGLISH
    findings.push(
      mistake(
        placeOf(places, `${language}.toml headlines.${name}`),
        `[headlines.${name}] must have a name of up to 20 lowercase letters, digits, and dashes, other than “${ORIGINAL}”.`,
      ),
    )
  }
  return names.map(name => ({
    name,
    ...inEach(language => {
      const found = said[language].headlines.find(({ id }) => id === name)
      return found ? { headline: found.headline, lead: found.lead } : null
    }),
  }))
}
