/** Figures that the site states: each with a source, and only while it holds. */
import { dayAfter, isDay } from '../../domain/calendar-day.ts'
import type { LaunchFinding } from '../findings.ts'
import { type BuiltPage, oneLine, wordsOf } from '../page.ts'

interface Figure {
  readonly shown: string
  readonly source: string | null
  readonly since: string | null
  readonly until: string | null
  readonly note?: string
}

type Figures = Readonly<Record<string, Figure>>

export function figureFindings(pages: readonly BuiltPage[], figures: Figures): readonly LaunchFinding[] {
  const words = pages.map(page => wordsOf(page)).join(' · ')
  const scarce = scarceNumbers(pages)
  return Object.entries(figures).flatMap(([name, figure]): LaunchFinding[] => {
    const { source, since, until, note } = figure
    const shown = oneLine(figure.shown)
    if (!words.includes(shown)) return []
    const about = { subject: name, detail: [shown, note ?? ''].join('\n') }
    const place = (field: string) => ({ after: [`${name}: {`, field] })
    if (isBlank(source)) {
      return scarce.has(shown) ? [] : [{ code: 'figure_without_source', ...about, change: place('source:') }]
    }
    const found: LaunchFinding[] = []
    if (since !== null && isDay(since)) {
      found.push({ code: 'figure_not_yet_true', ...about, to: dayAfter(since, -1), change: place('since:') })
    }
    if (until !== null) {
      const from = isDay(until) ? { from: dayAfter(until) } : {}
      found.push({ code: 'figure_expired', ...about, ...from, change: place('until:') })
    }
    return found
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

const SEATS = '(?:\\w+\\s+)?(?:spots?|places?|slots?|seats?|openings?)\\b'
const SCARCITY = new RegExp(
  `\\b(?:only|just)\\s+(\\S+)\\s+${SEATS}|\\b(\\d+)\\s+${SEATS}\\s+(?:left|remain\\w*|available)\\b`,
  'gi',
)

/** The numbers of what is said to be scarce, each with the words that say so. */
function scarceNumbers(pages: readonly BuiltPage[]): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap(page =>
      [...wordsOf(page).matchAll(SCARCITY)].map(([words, number, left]) => [number ?? left ?? '', words] as const),
    ),
  )
}

const isBlank = (text: string | null): text is null => text === null || text.trim() === ''
