/** Figures that the site states: each with a source, and only while it holds. */
import { dayAfter, type LaunchFinding } from '../../domain/launch/finding.ts'
import { type BuiltPage, wordsOf } from '../page.ts'

interface Figure {
  readonly shown: string
  readonly source: string | null
  readonly until: string | null
  readonly note?: string
}

type Figures = Readonly<Record<string, Figure>>

export function figureFindings(pages: readonly BuiltPage[], figures: Figures): readonly LaunchFinding[] {
  const words = pages.map(page => wordsOf(page)).join(' · ')
  const scarce = scarceNumbers(pages)
  return Object.entries(figures).flatMap(([name, figure]): LaunchFinding[] => {
    const { shown, source, until, note } = figure
    if (!words.includes(shown)) return []
    const about = { subject: name, detail: [shown, note ?? ''].join('\n') }
    const place = (field: string) => ({ after: [`${name}: {`, field] })
    if (isBlank(source)) {
      return scarce.has(shown) ? [] : [{ code: 'figure_without_source', ...about, change: place('source:') }]
    }
    if (until === null) return []
    return [{ code: 'figure_expired', ...about, from: dayAfter(until), change: place('until:') }]
  })
}

/** "Only 23 spots": a shortage that is not there is a deception (15 USC 45), and one that was there last month is none now. */
export function scarcityFindings(pages: readonly BuiltPage[], figures: Figures): readonly LaunchFinding[] {
  return [...scarceNumbers(pages)].flatMap(([number, sentence]): LaunchFinding[] => {
    const [name, figure] = Object.entries(figures).find(([, { shown }]) => shown === number) ?? []
    if (figure && !isBlank(figure.source) && figure.until !== null) return []
    const change = name === undefined ? { after: [sentence] } : { after: [`${name}: {`, 'source:'] }
    return [{ code: 'scarcity_without_evidence', subject: name ?? sentence, detail: sentence, change }]
  })
}

const SCARCITY = /\bonly\s+(\S+)\s+(?:\w+\s+)?(?:spots?|places?|slots?|seats?|openings?)\b/gi

/** The numbers of what is said to be scarce, each with the words that say so. */
function scarceNumbers(pages: readonly BuiltPage[]): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap(page =>
      [...wordsOf(page).matchAll(SCARCITY)].map(([words, number = '']) => [number, words] as const),
    ),
  )
}

const isBlank = (text: string | null): text is null => text === null || text.trim() === ''
