/**
 * Loads the fonts on a visitor's first page, after first paint (site/browser/inline/after-first-paint.ts).
 *
 * A font replaces its fallback (build/assets/fonts.ts) only if nothing on screen would move. This runs when the phone is idle,
 * one font at a time, so a click never waits for both. It uses FontFace objects instead of CSS, because browsers lay out
 * the whole page again for each CSS font that loads, used or not.
 */
const style = document.querySelector<HTMLStyleElement>('style[media]')
/** Safari has no requestIdleCallback. */
const idle = () => new Promise(resolve => (window.requestIdleCallback ?? setTimeout)(resolve))

swapFonts(Array.from(style?.sheet?.cssRules ?? []) as CSSFontFaceRule[])

async function swapFonts(rules: readonly CSSFontFaceRule[]): Promise<void> {
  await idle()
  const typefaces = [load('Fraunces', 'h1,h2,h3'), load('Atkinson', 'body')]
  for (const typeface of typefaces) {
    const faces = await typeface
    await idle()
    const positions = positionsIn(document.body)
    for (const face of faces) document.fonts.add(face)
    // If it's undone before the next paint, the change is invisible and causes no layout shift.
    if (!positions.every(staysPut)) for (const face of faces) document.fonts.delete(face)
  }

  async function load(family: string, selector: string): Promise<FontFace[]> {
    const text = `${Array.from(document.querySelectorAll(selector), element => element.textContent)}`
    const faces = rules
      .map(({ style }) => style as CSSStyleDeclaration & { src: string; unicodeRange: string })
      .filter(({ fontFamily }) => fontFamily.includes(family))
      .map(
        ({ src, fontWeight: weight, unicodeRange }) =>
          new FontFace(family, src, { weight, unicodeRange, display: 'swap' }),
      )
    // Accented letters have their own file, so load only faces whose characters occur in the text.
    await Promise.all(faces.filter(face => occursIn(face, text)).map(face => face.load()))
    return faces
  }
}

function occursIn({ unicodeRange }: FontFace, text: string): boolean {
  const characters = unicodeRange.replace(
    /U\+(\w+)-?(\w*)[, ]*/gi,
    (_, first, last) => `\\u{${first}}-\\u{${last || first}}`,
  )
  return new RegExp(`[${characters}]`, 'u').test(text)
}

/** The position of a line of text or a picture. If a container moves, so does the text or picture inside it. */
type Position = readonly [leaf: Node, line: DOMRect | undefined]

function positionsIn(parent: Element): Position[] {
  return Array.from(parent.childNodes).flatMap((node): Position[] => {
    const { firstChild, localName, checkVisibility } = node as Element
    if (!firstChild || localName === 'svg') return [[node, firstLine(node)]]
    // Don't force layout of content below the fold.
    return checkVisibility?.call(node, { contentVisibilityAuto: true }) === false ? [] : positionsIn(node as Element)
  })
}

function staysPut([leaf, before]: Position): boolean {
  const now = firstLine(leaf)
  if (!before || !now || Math.min(before.y, now.y) > innerHeight) return true
  // Browsers ignore layout shifts of less than three pixels.
  return Math.hypot(now.x - before.x, middle(now) - middle(before)) < 3
}

/**
 * The middle of a line of text, which is the same in any font. The box's height isn't: it depends on the font's metrics,
 * and Safari ignores our overrides.
 */
const middle = ({ y, height }: DOMRect) => y + height / 2

function firstLine(leaf: Node): DOMRect | undefined {
  const range = new Range()
  range.selectNode(leaf)
  return range.getClientRects()[0]
}
