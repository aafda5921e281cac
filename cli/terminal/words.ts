/** Counts, ages, and campaigns as text, and color. */
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

export function campaignInWords(campaign: Readonly<Record<string, string>>): string {
  return plain(
    Object.entries(campaign)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  )
}

export type Style = 'bold' | 'green' | 'yellow' | 'red' | 'dim'

/** On a terminal only, and unless NO_COLOR is set. Never the only sign: the words say the same. */
export function styled(stream: OutputStream, style: Style, text: string): string {
  return styleText(style, text, { stream })
}
