/** Text from outside, made safe where it's read, before any pattern looks at it. */

/** Nothing that people type into one box is longer. Anything longer is refused, not cut: half a number is someone else's. */
export const MAX_TYPED = 500

/** Why someone did something, in a few words. */
export const MAX_REASON_LENGTH = 200

/**
 * Control characters, line breaks, and characters that don't show or that turn the text around them, such as U+202E: they make one
 * name or address look like another. Joiners and variation selectors stay, because Persian and Hindi names and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\u2028\u2029]|(?!\u200c|\u200d|\p{VS})\p{DI}/gu

export function replaceInvisible(text: string, replace: (character: string) => string): string {
  return text.replace(INVISIBLE, replace)
}

/** A joiner that joins nothing would only make two equal names differ. */
const UNSEEN = /(?!\p{VS}|[\u200c\u200d][\p{Lo}\p{ExtPict}])\p{DI}/gu

/** One line: control characters and runs of spaces become a space, and lone surrogates U+FFFD. */
export function oneLine(text: string): string {
  // With the u flag, \p{Cs} matches only lone surrogates. `toWellFormed` would do, but older browsers don't have it.
  return text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(UNSEEN, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** For phone numbers, email addresses, and dates, which have no use for anything that doesn't show. */
export function withoutInvisible(text: string): string {
  return text.replace(/\p{DI}|(?!\s)\p{Cc}/gu, '')
}

/** Digits and signs as East Asian and Arabic keyboards type them become ASCII. The length stays the same. */
export function plainDigits(text: string): string {
  return text.replace(/[\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9]/g, character => {
    const code = character.charCodeAt(0)
    return String.fromCharCode(code < 0xff00 ? 48 + (code & 15) : code - 0xfee0)
  })
}

/**
 * Whether every text in a parsed request can be stored and signed as it is. No keyboard types NUL or half a character, and PostgreSQL
 * refuses them, so a request that has one is refused at the edge, before it does anything.
 */
export function isStorable(value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false
    if (typeof next !== 'object' || next === null) continue
    for (const [name, inner] of Object.entries(next)) waiting.push(name, inner)
  }
  return true
}
