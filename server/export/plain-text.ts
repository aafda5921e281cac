/** Untrusted text for a terminal or an export: invisible characters could fake output. */
import { replaceInvisible } from '../../domain/text/text.ts'

/** Makes untrusted text safe to show in a terminal or an export. */
export function plain(text: string): string {
  return replaceInvisible(text, () => ' ')
}

/** An export’s byte order mark, lines, columns, and the colors and weights that we use. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const LAYOUT = /(^\ufeff|\r?\n|\t|\u001b\[(?:3[1-3]|39|[12]|22)m)/

/** A file's name, or what's in it, may have sequences that move the cursor and write over what we say. */
export const forTerminal = (text: string) =>
  text
    .split(LAYOUT)
    .map((part, index) => (index % 2 === 0 ? plain(part) : part))
    .join('')

/** Does the same for JSON, using escapes. */
export function jsonText(value: unknown, indent?: number): string {
  // Line breaks are part of the JSON's layout; inside strings, they're already escaped.
  return replaceInvisible(JSON.stringify(value, null, indent), character =>
    character === '\n' ? character : escaped(character),
  )
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
