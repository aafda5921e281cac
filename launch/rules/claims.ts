/** Claims about the organization, read from the pages as a visitor reads them: each needs a basis that somebody can name. */
import type { LaunchFinding } from '../findings.ts'
import { type BuiltPage, type Element, nameOf, oneLine, wordsOf } from '../page.ts'

interface Claim {
  readonly shown: string
  readonly support: string | null
}

const CLAIMS =
  /\bHIPAA\b|\b100\s?%|\b\d(?:\.\d)?\s+out of\s+5\s+stars?|\b(?:five|5)[- ]stars?\b|\brated\s+(?:by|#)\S*/gi

/** A link to a page is no claim, nor is what a legal page says of the law. */
const isLinkList = ({ tag }: Element) => tag === 'nav'

export function claimFindings(
  pages: readonly BuiltPage[],
  claims: Readonly<Record<string, Claim>>,
  legalPaths: readonly string[],
): readonly LaunchFinding[] {
  const read = pages
    .filter(({ path }) => path === null || !legalPaths.includes(path))
    .map(page => ({ page, words: wordsOf(page, isLinkList) }))
  const withoutBasis = Object.entries(claims)
    .filter(([, { shown, support }]) => !support?.trim() && read.some(({ words }) => words.includes(oneLine(shown))))
    .map(
      ([name, { shown }]): LaunchFinding => ({
        code: 'claim_without_basis',
        subject: name,
        detail: shown,
        change: { after: ['export const claims', `${name}: {`] },
      }),
    )
  return [...withoutBasis, ...unlistedClaims(read, claims)]
}

function unlistedClaims(
  read: readonly { readonly page: BuiltPage; readonly words: string }[],
  claims: Readonly<Record<string, Claim>>,
): readonly LaunchFinding[] {
  // The longest first: one claim may be part of another.
  const listed = Object.values(claims).toSorted((one, other) => other.shown.length - one.shown.length)
  const found = read.flatMap(({ page, words }) => {
    const rest = listed.reduce((text, { shown }) => text.replaceAll(oneLine(shown), '·'), words)
    return [...rest.matchAll(CLAIMS)].map(({ 0: phrase, index }) => ({ page, phrase, around: around(rest, index) }))
  })
  const byPhrase = new Map(found.toReversed().map(each => [each.phrase.toLowerCase(), each]))
  return [...byPhrase.values()].map(({ page, phrase, around }) => ({
    code: 'unlisted_claim',
    subject: phrase,
    detail: `“${around}” on ${nameOf(page)}`,
    change: { after: [phrase] },
  }))
}

const around = (text: string, index: number) => text.slice(Math.max(0, index - 20), index + 40).trim()
