/** Which pages the site has besides its own: legal pages, campaigns' landing pages, and headlines to test. */

import { telHref } from '../domain/contact/phone.ts'
import { ENGLISH, knownLanguages, type Language, pathInLanguage } from '../domain/languages.ts'
import { type Link, textsIn } from '../domain/text/text-blocks.ts'
import { ORIGINAL, VARIANT_NAME } from '../domain/visits/variants.ts'
import { mistake, type Places, placeOf, type SiteFinding } from './findings.ts'
import type { Inserts } from './inserts.ts'
import type { LegalPage, LegalPageName } from './legal.ts'
import type { LiveText } from './reviews.ts'
import { legalPageNames } from './schema/texts.ts'
import type { InEachLanguage, SiteData } from './types.ts'
import { withFacts } from './whole-text.ts'
import type { SaidInLanguage } from './words.ts'

export const inEach = <Value>(of: (language: Language) => Value): InEachLanguage<Value> =>
  Object.fromEntries(knownLanguages.map(language => [language, of(language)])) as unknown as InEachLanguage<Value>

/** The pages by name. What isn't in the folder is a draft that nobody has begun. */
export const legalPagesOf = (
  language: Language,
  live: ReadonlyMap<string, LiveText>,
  { phone, email, ...facts }: Inserts,
  relay: string,
  findings: SiteFinding[],
): Readonly<Record<LegalPageName, LegalPage>> =>
  Object.fromEntries(
    legalPageNames.map(name => {
      const found = live.get(`legal/${name}.${language}`)
      const { file, isDraft, blocks } = found ?? { file: `legal/${name}.${language}.md`, isDraft: true, blocks: [] }
      const links = { phone: linkTo(phone, telHref(`${phone}`)), email: linkTo(email, `mailto:${email}`) }
      const report = (message: string) => findings.push(mistake({ file, line: null }, message))
      const filled = withFacts(blocks, { ...facts, ...links }, isDraft ? () => {} : report)
      const hasRelay = relay !== '' && textsIn(filled).some(text => text.includes(relay))
      return [name, { path: pathInLanguage(language, `/${name}`), file, isDraft, blocks: filled, hasRelay }]
    }),
  ) as Record<LegalPageName, LegalPage>

const linkTo = (text: string | null | undefined, to: string): Link | null =>
  text ? { is: 'link', to, words: [text] } : null

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
