/** Times, ages and counts in words, and text from outside made safe to show. */

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

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/**
 * What moves the terminal's cursor or colours it (C0 and C1), breaks a line, turns the reading direction, or is not seen
 * at all. Joiners and variation selectors stay: names in Persian and Hindi, and emoji, are written with them.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029]|(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu

/** Text from outside, safe to show. */
export function plain(text: string): string {
  return text.replace(UNSEEN, ' ')
}

/** JSON that says the same and is safe to show: what is not seen is written by its number. */
export function jsonText(value: unknown, indent?: number): string {
  // Line breaks are those between the lines of the JSON itself: in texts they are escaped already.
  return JSON.stringify(value, null, indent).replace(UNSEEN, unseen => (unseen === '\n' ? unseen : escaped(unseen)))
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

export function campaignInWords(campaign: Readonly<Record<string, string>>): string {
  return plain(
    Object.entries(campaign)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  )
}
