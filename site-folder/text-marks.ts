/** What no text can have: characters that nobody sees, and the marks of other formats. */

/** Control characters, and those that turn the direction of what follows, so that it reads differently from what it says. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finds them
const INVISIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069]/

export function invisibleIn(text: string): string | null {
  const [found] = INVISIBLE.exec(text) ?? []
  if (found === undefined) return null
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `An invisible character (U+${code}) is in this text. Delete the text, and type it again.`
}

const MARKUP = /<[/!]?[a-z][^>]*>?|&(?:[a-z]+|#\w+);|\*\*/i

/** Pages would show these as they are. */
export function markupIn(text: string): string | null {
  const [found] = MARKUP.exec(text) ?? []
  return found === undefined ? null : `A text has no HTML or bold. Leave out ${found}.`
}
