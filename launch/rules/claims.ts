/** What the site claims: testimonials, figures, scarcity, and praise. Each needs evidence. The build validates dates. */
import type { Figure } from '../../content/figures.ts'
import type { Testimonial as AnyTestimonial } from '../../content/testimonials.ts'
import { addDays } from '../../domain/dates.ts'
import type { LaunchFinding } from '../../server/launch/findings.ts'
import { type BuiltPage, elements, languageOf, nameOf, oneLine, textOf, without, wordsOf } from '../page.ts'

/** A testimonial, a figure, and a claim as shown in one language. */
type Testimonial = Omit<AnyTestimonial, 'text'> & { readonly text: string }
type Figures = Readonly<Record<string, Omit<Figure, 'claim' | 'value'> & { readonly shown: string }>>
type Claim = { readonly shown: string; readonly support: string | null }

/** Fake testimonials are illegal; real ones need permission on record (16 CFR 465). */
export function testimonialFindings(
  pages: readonly BuiltPage[],
  testimonials: readonly Testimonial[],
): readonly LaunchFinding[] {
  const quotes = pages.flatMap(page =>
    elements(page.root, 'blockquote').map(quote => ({ page, text: withoutQuotationMarks(textOf(quote)) })),
  )
  const shown = testimonials.filter(({ text }) => quotes.some(quote => quote.text === oneLine(text)))
  const unlisted = quotes.filter(quote => !testimonials.some(({ text }) => oneLine(text) === quote.text))
  return [
    ...shown.map((testimonial): LaunchFinding => {
      const { name: subject, sample } = testimonial
      const after = [`name: '${subject}'`]
      if (sample) return { code: 'sample_testimonial', subject, change: { after: [...after, 'sample:'] } }
      return { code: 'testimonial_without_permission', subject, change: { after }, ...untilPermitted(testimonial) }
    }),
    ...unlisted.map(({ page, text: detail }): LaunchFinding => {
      const change = { after: [detail.slice(0, 30)] }
      return { code: 'unlisted_testimonial', subject: nameOf(page), detail, change }
    }),
  ]
}

/** Permission resolves the finding as of the day it was given; a future date doesn't count yet. */
function untilPermitted({ permission }: Testimonial): Pick<LaunchFinding, 'to'> {
  if (!permission || permission.record.trim() === '') return {}
  return { to: addDays(permission.given, -1) }
}

const withoutQuotationMarks = (text: string) => text.replace(/^[“"]/, '').replace(/[”"]$/, '')

/** Each figure needs a source and can be shown only while it's true. */
export function figureFindings(pages: readonly BuiltPage[], figures: Figures): readonly LaunchFinding[] {
  const words = pages.map(({ root }) => wordsOf(root)).join(' · ')
  const scarce = scarceNumbers(pages)
  return Object.entries(figures).flatMap(([subject, figure]): LaunchFinding[] => {
    const { source, since, until, note } = figure
    const shown = oneLine(figure.shown)
    if (!words.includes(shown)) return []
    const about = (field: string) => ({
      subject,
      detail: [shown, note ?? ''].join('\n'),
      change: { after: [`${subject}: {`, field] },
    })
    if (isBlank(source)) return scarce.has(shown) ? [] : [{ code: 'figure_without_source', ...about('source:') }]
    const found: LaunchFinding[] = []
    if (since !== null) found.push({ code: 'figure_not_yet_true', ...about('since:'), to: addDays(since, -1) })
    if (until !== null) found.push({ code: 'figure_expired', ...about('until:'), from: addDays(until, 1) })
    return found
  })
}

/** "Only 23 spots": false scarcity is deceptive (15 USC 45), so the number needs a source and an end date. */
export function scarcityFindings(pages: readonly BuiltPage[], figures: Figures): readonly LaunchFinding[] {
  return [...scarceNumbers(pages)].flatMap(([number, sentence]): LaunchFinding[] => {
    const [name, figure] = Object.entries(figures).find(([, { shown }]) => shown === number) ?? []
    if (figure && !isBlank(figure.source) && figure.until !== null) return []
    const change = name === undefined ? { after: [sentence] } : { after: [`${name}: {`, 'source:'] }
    return [{ code: 'scarcity_without_evidence', subject: name ?? sentence, detail: sentence, change }]
  })
}

const SEATS = '(?:\\w+\\s+)?(?:spots?|places?|slots?|seats?|openings?)\\b'
const SCARCITY = new RegExp(
  `\\b(?:only|just)\\s+(\\S+)\\s+${SEATS}|\\b(\\d+)\\s+${SEATS}\\s+(?:left|remain\\w*|available)\\b`,
  'gi',
)

/** “Solo quedan 23 lugares”, “Quedan 23 cupos”, “23 lugares disponibles”. */
const SPANISH_SCARCITY =
  /(?:\bs[oó]lo|únicamente|\bnada más|\bquedan?)\s+(?:quedan?\s+|hay\s+)?(\S+)\s+(?:lugar(?:es)?|cupos?|puestos?|espacios?|plazas?)\b|\b(\d+)\s+(?:lugar(?:es)?|cupos?|puestos?|espacios?|plazas?)\s+(?:disponibles?|libres?)\b/gi

/** Scarcity claims in the text: the number, and the phrase around it. */
function scarceNumbers(pages: readonly BuiltPage[]): ReadonlyMap<string, string> {
  const found = pages.flatMap(page => [
    ...wordsOf(page.root).matchAll(languageOf(page) === 'es' ? SPANISH_SCARCITY : SCARCITY),
  ])
  return new Map(found.map(([words, number, left]) => [number ?? left ?? '', words]))
}

const isBlank = (text: string | null): text is null => text === null || text.trim() === ''

const CLAIMS =
  /\bHIPAA\b|\b100\s?%|\b\d(?:\.\d)?\s+out of\s+5\s+stars?|\b(?:five|5)[- ]stars?\b|\brated\s+(?:by|#)\S*/gi

const SPANISH_CLAIMS =
  /\bHIPAA\b|\b100\s?%|\b\d(?:\.\d)?\s+de\s+5\s+estrellas?|\b(?:cinco|5)\s+estrellas?\b|\bcalificad[oa]s?\s+(?:por|#)\S*/gi

/** Skips navigation and legal pages, where naming a law isn't a claim. */
export function claimFindings(
  pages: readonly BuiltPage[],
  claims: Readonly<Record<string, Claim>>,
  legalPaths: readonly string[],
): readonly LaunchFinding[] {
  const checked = pages
    .filter(({ path }) => path === null || !legalPaths.includes(path))
    .map(page => ({ page, words: wordsOf(without('nav', page.root)) }))
  const withoutBasis = Object.entries(claims)
    .filter(([, { shown, support }]) => isBlank(support) && checked.some(({ words }) => words.includes(oneLine(shown))))
    .map(([subject, { shown }]): LaunchFinding => {
      const change = { after: ['export const claimSupport', `${subject}:`] }
      return { code: 'claim_without_basis', subject, detail: shown, change }
    })
  // Longest first, because one claim may be part of another.
  const listed = Object.values(claims).toSorted((one, other) => other.shown.length - one.shown.length)
  const unlisted = checked.flatMap(({ page, words }) => {
    const rest = listed.reduce((text, { shown }) => text.replaceAll(oneLine(shown), '·'), words)
    return [...rest.matchAll(languageOf(page) === 'es' ? SPANISH_CLAIMS : CLAIMS)].map(
      ({ 0: phrase, index }): LaunchFinding => {
        const around = rest.slice(Math.max(0, index - 20), index + 40).trim()
        const detail = `“${around}” on ${nameOf(page)}`
        return { code: 'unlisted_claim', subject: phrase, detail, change: { after: [phrase] } }
      },
    )
  })
  const byPhrase = new Map(unlisted.toReversed().map(finding => [finding.subject.toLowerCase(), finding]))
  return [...withoutBasis, ...byPhrase.values()]
}
