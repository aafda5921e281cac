/** What the consent above a call list must say (47 CFR 64.1200(f)(9) and 16 CFR 310.4(b)(1)(v)(A)), read from each form. */
import type { LaunchCode, LaunchFinding } from '../findings.ts'
import { type BuiltPage, elements, nameOf, oneLine, textOf } from '../page.ts'

const OPT_OUT = /\bopt out\b|\bunsubscribe\b|\bwithdraw\b|\brevoke\b/i
const STOP = /\bSTOP\b/
const NO_PURCHASE =
  /\bnot\b[^.]*\b(?:required|condition)\b[^.]*\b(?:goods?|services?|products?|property|purchase|buy)\b/i

export function consentFindings(pages: readonly BuiltPage[], seller: string): readonly LaunchFinding[] {
  const change = { after: ['consentParagraphs'] }
  const found = pages.filter(asksForContact).flatMap((page): { code: LaunchCode; page: BuiltPage }[] => {
    const consents = elements(page.root).filter(
      ({ attributes }) => attributes['data-tf-element-role'] === 'consent-language',
    )
    const texts = consents.map(consent => textOf(consent))
    if (texts.length === 0) return [{ code: 'consent_missing', page }]
    const lacks = (present: (text: string) => boolean, code: LaunchCode) =>
      texts.every(present) ? [] : [{ code, page }]
    return [
      ...lacks(text => text.includes(oneLine(seller)), 'consent_without_seller'),
      ...lacks(text => OPT_OUT.test(text) && STOP.test(text), 'consent_without_opt_out'),
      ...lacks(text => NO_PURCHASE.test(text), 'consent_without_no_purchase'),
    ]
  })
  // One text stands on several pages.
  return [
    ...new Map(found.toReversed().map(({ code, page }) => [code, { code, subject: nameOf(page), change }])).values(),
  ]
}

function asksForContact({ root }: BuiltPage): boolean {
  return elements(root, 'input').some(({ attributes }) => attributes['name'] === 'phone')
}
