/**
 * Control characters, line breaks, and invisible or direction-changing characters, which could fake terminal output. Joiners
 * and variation selectors are allowed, because Persian and Hindi names and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\u2028\u2029]|(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu

/** Makes untrusted text safe to show in a terminal or an export. */
export function plain(text: string): string {
  return text.replace(INVISIBLE, ' ')
}

/** Does the same for JSON, using escapes. */
export function jsonText(value: unknown, indent?: number): string {
  // Line breaks are part of the JSON's layout; inside strings, they're already escaped.
  return JSON.stringify(value, null, indent).replace(INVISIBLE, character =>
    character === '\n' ? character : escaped(character),
  )
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
