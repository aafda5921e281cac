/** How many columns of a terminal a text takes: not its length, since a CJK letter or an emoji takes two, an accent none. */
import { eastAsianWidth } from 'get-east-asian-width'

const graphemes = new Intl.Segmenter()

const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u
const NOTHING = /^[\p{Mark}\p{Cf}\p{Cc}]*$/u

export function displayWidth(text: string): number {
  // Most texts are plain, and for these the length will do.
  if (/^[ -~]*$/.test(text)) return text.length
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + widthOf(segment), 0)
}

function widthOf(grapheme: string): number {
  if (NOTHING.test(grapheme)) return 0
  // Emoji with a sign that asks for a picture are wide, whatever the first of their signs is by itself.
  return EMOJI.test(grapheme) ? 2 : eastAsianWidth(grapheme.codePointAt(0) ?? 0)
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** As much as fits; a mark says that something is left out. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let room = width - 1
  for (const { segment } of graphemes.segment(text)) {
    room -= widthOf(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept}…`
}
