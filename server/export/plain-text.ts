/** Untrusted text for a terminal or an export: invisible characters could fake output. */
import { replaceInvisible } from '../../domain/text/text.ts'

/** Makes untrusted text safe to show in a terminal or an export. */
export function plain(text: string): string {
  return replaceInvisible(text, () => ' ')
}

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
