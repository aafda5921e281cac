/** Required disclosures: who is behind the pages, that they are ads, what a visitor consents to, and complete legal pages. */

import { type Language, languageName } from '../../domain/languages.ts'
import type { LaunchCode, LaunchFinding } from '../../domain/launch/findings.ts'
import type { InEachLanguage, LegalPage, Organization, SiteData, FoundText as Text } from '../../site-folder/types.ts'
import { PLACEHOLDER } from '../../site-folder/whole-text.ts'

/** What each disclosure has to say, in some wording. */
const required: InEachLanguage<Readonly<Record<'notice' | 'label' | 'optOut' | 'noPurchase', RegExp>>> = {
  en: {
    notice:
      /\bnot\b[^.]*\b(?:affiliated|endorsed|connected|associated|part of)\b[^.]*\bSocial Security Administration\b[^.]*\b(?:government|agency)\b/i,
    label: /\b(?:sponsored|advertisement|paid (?:post|content|advertisement))\b/i,
    optOut: /\bopt out\b|\bunsubscribe\b|\bwithdraw\b|\brevoke\b/i,
    noPurchase: /\bnot\b[^.]*\b(?:required|condition)\b[^.]*\b(?:goods?|services?|products?|property|purchase|buy)\b/i,
  },
  es: {
    notice:
      /\bno\b[^.]*\b(?:afiliad[ao]s?|asociad[ao]s?|vinculad[ao]s?|parte)\b[^.]*\bAdministración del Seguro Social\b[^.]*\b(?:gobierno|agencia)\b/i,
    label: /\b(?:patrocinad[oa]|publicidad|anuncio|contenido pagado)\b/i,
    optOut: /\bcancelar\b|\bdarme de baja\b|\bretirar\b|\brevocar\b/i,
    noPurchase:
      /\bno\b[^.]*\b(?:requisito|requiere|necesari[oa]|obligatori[oa]|condici[oó]n)\b[^.]*\b(?:bien|bienes|servicios?|productos?|compr\w+)\b/i,
  },
}

const STOP = /\bSTOP\b/

interface Disclosures {
  /** In the footer of every page. */
  readonly footer: { readonly affiliation: string }
  readonly advertorial: { readonly sponsoredLabel: string }
  /** Shown with every form. */
  readonly consent: { readonly text: string }
}

/**
 * Visitors must not mistake the site for the Social Security Administration's (42 USC 1320b-10); an ad that reads like an article
 * must start by saying it's an ad (15 USC 45; FTC, 81 FR 22596); and consent to calls has its own rules
 * (47 CFR 64.1200(f)(9) and 16 CFR 310.4(b)(1)(v)(A)).
 */
export function disclosureFindings(
  language: Language,
  { footer, advertorial, consent }: Disclosures,
  seller: string,
): readonly LaunchFinding[] {
  const { notice, label, optOut, noPurchase } = required[language]
  const inTexts = (key: string) => ({ key: `${language}.toml ${key}` })
  const signed = { key: `consent.${language}.md` }
  const checks: readonly [LaunchCode, isMet: boolean, LaunchFinding['change']][] = [
    ['affiliation_notice_missing', notice.test(footer.affiliation), inTexts('footer.affiliation')],
    ['advertorial_label_missing', label.test(advertorial.sponsoredLabel), inTexts('advertorial.sponsoredLabel')],
    ['consent_without_seller', consent.text.includes(seller), signed],
    ['consent_without_opt_out', optOut.test(consent.text) && STOP.test(consent.text), signed],
    ['consent_without_no_purchase', noPurchase.test(consent.text), signed],
  ]
  return checks
    .filter(([, isMet]) => !isMet)
    .map(([code, , change]) => ({ code, subject: languageName(language), change }))
}

export function reviewFindings(
  texts: SiteData['reviewable'],
  reviews: SiteData['reviews']['texts'],
): readonly LaunchFinding[] {
  return Object.entries(texts)
    .filter(([name, { version, isLive }]) => !isLive || reviews[name]?.version !== version)
    .map(([name, { file, version, isLive }]) => ({
      code: isLive ? 'text_not_reviewed' : 'text_held_back',
      subject: name,
      detail: version,
      change: { file, line: null },
    }))
}

/** A draft is fine if the footer links to a page on another site instead, unless a lawyer had reviewed ours. */
export function legalFindings<Name extends string>(
  legalPages: Readonly<Record<Name, Pick<LegalPage, 'file' | 'isDraft'>>>,
  elsewhere: Readonly<Record<string, string | undefined>>,
  reviews: SiteData['reviews']['texts'],
): readonly LaunchFinding[] {
  return Object.entries<Pick<LegalPage, 'file' | 'isDraft'>>(legalPages).flatMap(([name, { file, isDraft }]) => {
    const url = elsewhere[name]
    const review = file.replace(/\.md$/, '')
    if (isDraft && url === undefined)
      return { code: 'legal_draft', subject: file, change: { file, line: 1 } } satisfies LaunchFinding
    if (!isDraft || reviews[review] === undefined) return []
    const change = { key: `reviews.toml texts.${review}` }
    return { code: 'reviewed_text_elsewhere', subject: review, detail: url ?? '', change } satisfies LaunchFinding
  })
}

export function placeholderFindings(texts: readonly Text[]): readonly LaunchFinding[] {
  return texts.flatMap(({ file, line, name, text }) =>
    Array.from(
      new Set(text.match(PLACEHOLDER)),
      (words): LaunchFinding => ({
        code: 'placeholder_text',
        subject: `${name} ${words}`,
        detail: `“${words}” in ${name}`,
        change: line === null ? { search: words } : { file, line },
      }),
    ),
  )
}

const SAMPLE = { name: 'SSDI Advocate', phone: '833-243-2965' }

/** The organization needs its own name and number, an address, and hours. */
export function organizationFindings(
  own: Pick<Organization, 'name' | 'phone' | 'address' | 'hours'>,
): readonly LaunchFinding[] {
  const finding = (code: LaunchCode, subject: string, detail: string): LaunchFinding => ({
    code,
    subject,
    detail,
    change: { key: `organization.toml ${subject}` },
  })
  const unchanged = (['name', 'phone'] as const).filter(field => own[field] === SAMPLE[field])
  const missing = (['address', 'hours'] as const).filter(field => !own[field] || Object.keys(own[field]).length === 0)
  return [
    ...unchanged.map(field => finding('organization_as_delivered', field, `${field} ${SAMPLE[field]}`)),
    ...missing.map(field => finding('organization_incomplete', field, field)),
  ]
}
