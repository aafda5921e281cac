/**
 * Loads the fonts on a visitor's first page, after first paint (site/browser/inline/after-first-paint.ts).
 *
 * A font replaces its fallback (build/assets/fonts.ts) only if nothing on screen would move. This runs when the phone is idle,
 * one font at a time, so that a click never waits for both. It uses FontFace objects instead of CSS, because browsers lay out
 * the whole page again for each CSS font that loads, used or not.
 */
const style = document.querySelector<HTMLStyleElement>('style[media]')
/** Safari has no requestIdleCallback. */
const idle = () => new Promise(resolve => (window.requestIdleCallback ?? setTimeout)(resolve))

changeTypefaces(Array.from(style?.sheet?.cssRules ?? []) as CSSFontFaceRule[])

async function changeTypefaces(rules: readonly CSSFontFaceRule[]): Promise<void> {
  await idle()
  const typefaces = [loaded('Fraunces', 'h1,h2,h3'), loaded('Atkinson', 'body')]
  for (const typeface of typefaces) {
    const faces = await typeface
    await idle()
    const starts = startsIn(document.body)
    for (const face of faces) document.fonts.add(face)
    // If it's undone before the next paint, the change is invisible and shifts nothing.
    if (!starts.every(staysPut)) for (const face of faces) document.fonts.delete(face)
  }

  async function loaded(family: string, where: string): Promise<FontFace[]> {
    const text = `${Array.from(document.querySelectorAll(where), element => element.textContent)}`
    const faces = rules
      .map(({ style }) => style as CSSStyleDeclaration & { src: string; unicodeRange: string })
      .filter(({ fontFamily }) => fontFamily.includes(family))
      .map(
        ({ src, fontWeight: weight, unicodeRange }) =>
          new FontFace(family, src, { weight, unicodeRange, display: 'swap' }),
      )
    // Pass the page's text, so that the separate file for accented letters is loaded too.
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

/** Positions of text lines and pictures. If a container moves, they move too. */
type Start = readonly [leaf: Node, line: DOMRect | undefined]

function startsIn(parent: Element): Start[] {
  return Array.from(parent.childNodes).flatMap((node): Start[] => {
    const { firstChild, localName, checkVisibility } = node as Element
    if (!firstChild || localName === 'svg') return [[node, firstLine(node)]]
    // Don't force layout of content below the fold.
    return checkVisibility?.call(node, { contentVisibilityAuto: true }) === false ? [] : startsIn(node as Element)
  })
}

function staysPut([leaf, before]: Start): boolean {
  const now = firstLine(leaf)
  if (!before || !now || Math.min(before.y, now.y) > innerHeight) return true
  // Browsers count a layout shift only from three pixels up.
  return Math.hypot(now.x - before.x, middle(now) - middle(before)) < 3
}

/**
 * The middle of a line of text, which is the same in any font. The height of its box isn't: it comes from the font's metrics,
 * and Safari ignores our overrides for it.
 */
const middle = ({ y, height }: DOMRect) => y + height / 2

function firstLine(leaf: Node): DOMRect | undefined {
  const range = new Range()
  range.selectNode(leaf)
  return range.getClientRects()[0]
}
