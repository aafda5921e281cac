/** Text for the terminal: counts, ages, campaigns, tables, and color. */
import { styleText } from 'node:util'
import { plain } from '../../server/export/plain-text.ts'
import type { OutputStream } from '../command.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Short enough for a column: 45 s, 3 min, 5 h, 12 d. */
export function age(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / 1000))} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`
  return `${Math.floor(ms / DAY)} d`
}

export const figure = (count: number) => count.toLocaleString('en-US')

export const counted = (count: number, one: string, many = `${one}s`) => `${figure(count)} ${count === 1 ? one : many}`

export function formatCampaign(campaign: Readonly<Record<string, string>>): string {
  return plain(
    Object.entries(campaign)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  )
}

export type Style = 'bold' | 'green' | 'yellow' | 'red' | 'dim'

/** Only in a terminal, and not if NO_COLOR is set. The text must say the same thing without color. */
export function styled(stream: OutputStream, style: Style, text: string): string {
  return styleText(style, text, { stream })
}

const GAP = '  '
const DEFAULT_WIDTH = 80

export interface Column {
  readonly head: string
  /** Can be truncated to fit, but never shorter than its heading. */
  readonly elastic?: true
  /** Right-aligned, for numbers. */
  readonly right?: true
}

/** Aligned columns. In a terminal, they fit its width, so each row is one line. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { isTTY, columns: room = DEFAULT_WIDTH }: OutputStream,
): string {
  const lines = [columns.map(({ head }) => head), ...rows]
  const wanted = columns.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)))
  const widths = isTTY ? fitted(columns, wanted, room) : wanted
  const cell = (text: string, width: number, right = false) => {
    const cut = text.length > width ? `${text.slice(0, width - 1)}…` : text
    return right ? cut.padStart(width) : cut.padEnd(width)
  }
  return lines
    .map(cells => columns.map(({ right }, column) => cell(cells[column] ?? '', widths[column] ?? 0, right)).join(GAP))
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

/** Shrinks the widest elastic column by one character at a time until all columns fit or none can shrink further. */
function fitted(columns: readonly Column[], wanted: readonly number[], room: number): readonly number[] {
  const widths = [...wanted]
  const excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length - room)
  for (let taken = 0; taken < excess; taken++) {
    const spare = widths.map((width, column) => {
      const { head, elastic } = columns[column] as Column
      return elastic && width > head.length ? width : 0
    })
    const widest = Math.max(...spare)
    if (widest === 0) break
    widths[spare.indexOf(widest)] = widest - 1
  }
  return widths
}
