/** How many columns of a terminal a text takes: not its length, since a CJK letter or an emoji takes two, an accent none. */

const graphemes = new Intl.Segmenter()

/** What East Asian Width calls wide: JavaScript has no name for it. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18fff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u
const NOTHING = /^[\p{Mark}\p{Cf}\p{Cc}]*$/u

export function displayWidth(text: string): number {
  // Most texts are plain, and for these the length will do.
  if (/^[ -~]*$/.test(text)) return text.length
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + widthOf(segment), 0)
}

function widthOf(grapheme: string): number {
  if (NOTHING.test(grapheme)) return 0
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1
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
