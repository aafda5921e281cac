/** What the site claims: testimonials, figures, scarcity, and praise. Each needs evidence. The build validates dates. */

import { addDays } from '../../domain/dates.ts'
import type { Language } from '../../domain/languages.ts'
import type { LaunchFinding } from '../../domain/launch/findings.ts'
import type {
  Testimonial as AnyTestimonial,
  Figure,
  InEachLanguage,
  SiteData,
  FoundText as Text,
} from '../../site-folder/types.ts'
import { amountsIn } from './languages.ts'

/** Figures and claims. Visitors see them only where another text uses them. */
export const isPart = ({ name }: Text) => /^(?:figures|claims)\./.test(name)

/** A figure and a claim as shown in one language. */
type Figures = Readonly<Record<string, Omit<Figure, 'claim' | 'value'> & { readonly shown: string }>>
type Claim = { readonly shown: string; readonly support: string | null }

/** Fake testimonials are illegal; real ones need permission on record (16 CFR 465). */
export function testimonialFindings(testimonials: readonly Omit<AnyTestimonial, 'text'>[]): readonly LaunchFinding[] {
  return testimonials.map(({ key, name: subject, sample, permission }): LaunchFinding => {
    const change = { key: `evidence.toml ${key}` }
    if (sample) return { code: 'sample_testimonial', subject, change }
    // Permission resolves the finding as of the day it was given; a future date doesn't count yet.
    const resolved = permission ? { to: addDays(permission.given, -1) } : {}
    return { code: 'testimonial_without_permission', subject, change, ...resolved }
  })
}

/** A campaign's page can have the section even if the home page doesn't. */
export const showsTestimonials = (
  language: Language,
  { words, landingPages }: Pick<SiteData, 'words' | 'landingPages'>,
) => [words[language].landing, ...landingPages.map(page => page[language])].some(page => page?.socialProof)

/** Each figure needs a source and can be shown only while it's true. */
export function figureFindings(texts: readonly Text[], figures: Figures): readonly LaunchFinding[] {
  const scarce = new Set(scarcityIn(texts).map(({ number }) => number))
  return Object.entries(figures).flatMap(([subject, figure]): LaunchFinding[] => {
    const { source, since, until, note } = figure
    const shown = oneLine(figure.shown)
    if (!texts.some(({ text }) => hasWord(text, shown))) return []
    const about = (field: string) => ({
      subject,
      detail: [shown, note ?? ''].join('\n'),
      change: { key: `evidence.toml figures.${subject}.${field}` },
    })
    if (source === undefined) return scarce.has(shown) ? [] : [{ code: 'figure_without_source', ...about('source') }]
    const found: LaunchFinding[] = []
    if (since !== undefined) found.push({ code: 'figure_not_yet_true', ...about('since'), to: addDays(since, -1) })
    if (until !== undefined) found.push({ code: 'figure_expired', ...about('until'), from: addDays(until, 1) })
    return found
  })
}

/** Not as part of a longer word or number: a hidden “23” must not be found in “100-123”. */
function hasWord(text: string, word: string): boolean {
  const parts = text.split(word)
  return parts.slice(1).some((after, index) => !/[\p{L}\d]$/u.test(parts[index] ?? '') && !/^[\p{L}\d]/u.test(after))
}

/** Amounts and percentages typed into a text: nobody would notice when they're out of date. `claimFindings` reports “100%”. */
export function unlistedFigures(all: readonly Text[]): readonly LaunchFinding[] {
  const listed = new Set(['100%', ...all.filter(isPart).flatMap(({ text }) => amountsIn(text))])
  return all
    .filter(({ name }) => !QUOTED.test(name))
    .flatMap(({ file, line, name, text }) =>
      amountsIn(text)
        .filter(amount => !listed.has(amount))
        .map(amount => ({
          code: 'unlisted_figure',
          subject: `${amount} in ${name}`,
          detail: `“${amount}” in ${name}`,
          change: { file, line },
        })),
    )
}

/** Someone's own figures, or a law's. */
const QUOTED = /^(?:legal|testimonials|advertorialQuote)\./

/** "Only 23 spots": false scarcity is deceptive (15 USC 45), so the number needs a source and an end date. */
export function scarcityFindings(texts: readonly Text[], figures: Figures): readonly LaunchFinding[] {
  return scarcityIn(texts).flatMap(({ file, line, number, phrase }): LaunchFinding[] => {
    const [name, figure] = Object.entries(figures).find(([, { shown }]) => shown === number) ?? []
    if (figure?.source && figure.until) return []
    const change = name === undefined ? { file, line } : { key: `evidence.toml figures.${name}.source` }
    return [{ code: 'scarcity_without_evidence', subject: name ?? phrase, detail: phrase, change }]
  })
}

const SEATS = '(?:\\w+\\s+)?(?:spots?|places?|slots?|seats?|openings?)\\b'
const LUGARES = '(?:lugar(?:es)?|cupos?|puestos?|espacios?|plazas?)\\b'

/** Scarcity in any words, with its number: a marketer's own “Only 5 seats left” is as risky as ours. */
const scarcity: InEachLanguage<RegExp> = {
  en: new RegExp(
    `\\b(?:only|just)\\s+(\\S+)\\s+${SEATS}|\\b(\\d+)\\s+${SEATS}\\s+(?:left|remain\\w*|available)\\b`,
    'gi',
  ),
  es: new RegExp(
    `(?:\\bs[oó]lo|únicamente|\\bnada más|\\bquedan?)\\s+(?:quedan?\\s+|hay\\s+)?(\\S+)\\s+${LUGARES}|\\b(\\d+)\\s+${LUGARES}\\s+(?:disponibles?|libres?)\\b`,
    'gi',
  ),
}

const scarcityIn = (texts: readonly Text[]) =>
  texts.flatMap(({ file, line, language, text }) =>
    Array.from(text.matchAll(scarcity[language]), ([phrase, number, left]) => ({
      file,
      line,
      phrase,
      number: number ?? left ?? '',
    })),
  )

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Praise and guarantees in any words. */
const praise: InEachLanguage<RegExp> = {
  en: /\bHIPAA\b|\b100\s?%|\b\d(?:\.\d)?\s+out of\s+5\s+stars?|\b(?:five|5)[- ]stars?\b|\brated\s+(?:by|#)\S*/gi,
  es: /\bHIPAA\b|\b100\s?%|\b\d(?:\.\d)?\s+de\s+5\s+estrellas?|\b(?:cinco|5)\s+estrellas?\b|\bcalificad[oa]s?\s+(?:por|#)\S*/gi,
}

/** Naming a law isn't a claim in a legal page, or in a link to one. */
const isLegal = ({ name }: Text) => /^(?:legal|links)\./.test(name)

export function claimFindings(all: readonly Text[], claims: Readonly<Record<string, Claim>>): readonly LaunchFinding[] {
  const texts = all.filter(text => !isLegal(text))
  const withoutBasis = Object.entries(claims)
    .filter(([, { shown, support }]) => support === null && texts.some(({ text }) => text.includes(oneLine(shown))))
    .map(([subject, { shown }]): LaunchFinding => {
      const change = { key: `evidence.toml claims.${subject}.evidence` }
      return { code: 'claim_without_basis', subject, detail: shown, change }
    })
  // Longest first, because one claim may be part of another.
  const listed = Object.values(claims).toSorted((one, other) => other.shown.length - one.shown.length)
  const unlisted = texts.flatMap(({ file, line, name, language, text }) => {
    const rest = listed.reduce((words, { shown }) => words.replaceAll(oneLine(shown), '·'), text)
    return Array.from(rest.matchAll(praise[language]), ({ 0: phrase, index }): LaunchFinding => {
      const around = rest.slice(Math.max(0, index - 20), index + 40).trim()
      return {
        code: 'unlisted_claim',
        subject: `${phrase} in ${name}`,
        detail: `“${around}” in ${name}`,
        change: { file, line },
      }
    })
  })
  return [...withoutBasis, ...unlisted]
}
