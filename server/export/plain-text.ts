/** Text from outside made safe to show, in a terminal and in whatever opens an export. */

/**
 * What moves the terminal's cursor or colors it (C0 and C1), breaks a line, turns the reading direction, or is not seen
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
