/** Required disclosures: who is behind the pages, that they are ads, what a visitor consents to, and complete legal pages. */
import type { LegalPage } from '../../content/legal.ts'
import type { LaunchCode, LaunchFinding, LaunchNote } from '../../server/launch/findings.ts'
import {
  attribute,
  type BuiltPage,
  type Element,
  elements,
  isElement,
  languageOf,
  nameOf,
  oneLine,
  textOf,
} from '../page.ts'

const NOTICE =
  /\bnot\b[^.]*\b(?:affiliated|endorsed|connected|associated|part of)\b[^.]*\bSocial Security Administration\b[^.]*\b(?:government|agency)\b/i
const LABEL = /\b(?:sponsored|advertisement|paid (?:post|content|advertisement))\b/i

/** The same disclosures in Spanish. */
const SPANISH = {
  notice:
    /\bno\b[^.]*\b(?:afiliad[ao]s?|asociad[ao]s?|vinculad[ao]s?|parte)\b[^.]*\bAdministración del Seguro Social\b[^.]*\b(?:gobierno|agencia)\b/i,
  label: /\b(?:patrocinad[oa]|publicidad|anuncio|contenido pagado)\b/i,
  optOut: /\bcancelar\b|\bdarme de baja\b|\bretirar\b|\brevocar\b/i,
  noPurchase:
    /\bno\b[^.]*\b(?:requisito|requiere|necesari[oa]|obligatori[oa]|condici[oó]n)\b[^.]*\b(?:bien|bienes|servicios?|productos?|compr\w+)\b/i,
} as const

const isSpanish = (page: BuiltPage) => languageOf(page) === 'es'

/** Visitors must not mistake the site for the Social Security Administration's (42 USC 1320b-10). */
export function noticeFindings(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  const change = { after: ['affiliation:'] }
  return pages
    .filter(page => {
      const notice = isSpanish(page) ? SPANISH.notice : NOTICE
      return !elements(page.root, 'p').some(paragraph => notice.test(textOf(paragraph)))
    })
    .map(page => ({ code: 'affiliation_notice_missing', subject: nameOf(page), change }))
}

/** An ad that reads like an article and has the form must start by saying it's an ad (15 USC 45; FTC, 81 FR 22596). */
export function advertorialFindings(pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  const change = { after: ['sponsoredLabel:'] }
  return pages
    .filter(({ root }) => elements(root, 'article').some(article => elements(article, 'form').length > 0))
    .filter(page => {
      const label = isSpanish(page) ? SPANISH.label : LABEL
      return !label.test(elements(page.root, 'main').map(firstText)[0] ?? '')
    })
    .map(page => ({ code: 'advertorial_label_missing', subject: nameOf(page), change }))
}

/** A date that is always today's can make an old article look new. A note, because the article may well be current. */
export const dateNotes = (publishedOn: string | null): readonly LaunchNote[] =>
  publishedOn === null
    ? [
        {
          id: 'advertorial_date',
          reason:
            'The advertorial always shows today’s date, so an old article looks new. For a fixed date, fill in content/advertorial.ts.',
        },
      ]
    : []

/** The text of the innermost element that contains the first words. */
function firstText(element: Element): string {
  if (element.childNodes.some(child => 'value' in child && child.value.trim() !== '')) return textOf(element)
  const first = element.childNodes.filter(isElement).find(child => textOf(child) !== '')
  return first === undefined ? '' : firstText(first)
}

const OPT_OUT = /\bopt out\b|\bunsubscribe\b|\bwithdraw\b|\brevoke\b/i
const STOP = /\bSTOP\b/
const NO_PURCHASE =
  /\bnot\b[^.]*\b(?:required|condition)\b[^.]*\b(?:goods?|services?|products?|property|purchase|buy)\b/i

/** Consent to calls (47 CFR 64.1200(f)(9) and 16 CFR 310.4(b)(1)(v)(A)), on every page that asks for a phone number. */
export function consentFindings(pages: readonly BuiltPage[], seller: string): readonly LaunchFinding[] {
  const found = new Map<string, LaunchFinding>()
  for (const page of pages) {
    if (!elements(page.root, 'input').some(input => attribute(input, 'name') === 'phone')) continue
    const consents = elements(page.root)
      .filter(element => attribute(element, 'data-tf-element-role') === 'consent-language')
      .map(consent => textOf(consent))
    const require = (code: LaunchCode, isMet: boolean) => {
      // Multiple pages have the same text; one finding for each language is enough.
      const key = `${code}:${languageOf(page)}`
      if (isMet || found.has(key)) return
      const file = `content/${languageOf(page)}/contact-form.ts`
      found.set(key, { code, subject: nameOf(page), change: { file, after: ['createConsent('] } })
    }
    require('consent_missing', consents.length > 0)
    require('consent_without_seller', consents.every(text => text.includes(oneLine(seller))))
    const [optOut, noPurchase] = isSpanish(page) ? [SPANISH.optOut, SPANISH.noPurchase] : [OPT_OUT, NO_PURCHASE]
    require('consent_without_opt_out', consents.every(text => optOut.test(text) && STOP.test(text)))
    require('consent_without_no_purchase', consents.every(text => noPurchase.test(text)))
  }
  return [...found.values()]
}

/** A draft is fine if the footer links to a page on another site instead. */
export function legalFindings<Name extends string>(
  legalPages: Readonly<Record<Name, Pick<LegalPage, 'file' | 'isDraft'>>>,
  elsewhere: Readonly<Record<string, string | null>>,
): readonly LaunchFinding[] {
  return Object.entries<Pick<LegalPage, 'file' | 'isDraft'>>(legalPages)
    .filter(([name, { isDraft }]) => isDraft && (elsewhere[name] ?? null) === null)
    .map(([, { file }]) => ({ code: 'legal_draft', subject: file, change: { file, after: ['Draft'] } }))
}

/** “Todo” is a common word in Spanish. */
const PLACEHOLDER = /\[[^\]]{3,}\]|\b[Ll]orem ipsum\b|\bTODO\b|\bTBD\b/g

/** Every placeholder on every page. Legal pages name their file, because several may contain the same one, such as [date]. */
export function placeholderFindings(
  pages: readonly BuiltPage[],
  legalPages: Readonly<Record<string, Pick<LegalPage, 'path' | 'file'>>>,
): readonly LaunchFinding[] {
  return pages.flatMap(page => {
    const body = elements(page.root, 'body')[0]
    const found = new Set([...(body ? textOf(body) : '').matchAll(PLACEHOLDER)].map(([words]) => words))
    const file = Object.values(legalPages).find(({ path }) => path === page.path)?.file
    return [...found].map((words): LaunchFinding => {
      const change = { ...(file !== undefined && { file }), after: [words] }
      return {
        code: 'placeholder_text',
        subject: `${nameOf(page)} ${words}`,
        detail: `“${words}” on ${nameOf(page)}`,
        change,
      }
    })
  })
}

const SAMPLE = { name: 'SSDI Advocate', phone: '833-243-2965' }

/** The organization needs its own name and number, an address, and hours. */
export function organizationFindings(
  own: Readonly<Record<'name' | 'phone', string> & Record<'address' | 'hours', unknown>>,
): readonly LaunchFinding[] {
  const finding = (code: LaunchCode, subject: string, detail: string): LaunchFinding => ({
    code,
    subject,
    detail,
    change: { file: 'content/organization.ts', after: ['export const organization', `${subject}:`] },
  })
  const unchanged = (['name', 'phone'] as const).filter(field => own[field] === SAMPLE[field])
  const missing = (['address', 'hours'] as const).filter(field => isEmpty(own[field]))
  return [
    ...unchanged.map(field => finding('organization_as_delivered', field, `${field} ${SAMPLE[field]}`)),
    ...missing.map(field => finding('organization_incomplete', field, field)),
  ]
}

const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)
