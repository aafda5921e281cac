/**
 * Loads the typefaces on a visitor's first page, after first paint (site/browser/inline/after-first-paint.ts).
 *
 * A typeface replaces its fallback (build/assets/fonts.ts) only if nothing on screen would move. It runs when the phone is
 * idle, one typeface at a time, so that a press never waits for both. FontFace objects instead of CSS, because browsers lay
 * out the whole page again for each CSS face that arrives, used or not.
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
    // An attempt that is undone before the next paint is invisible and shifts nothing.
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
    // With the page's text, so that the separate file for accented letters is loaded too.
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

/** Positions of text lines and pictures: no container can move without them. */
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
  // Browsers count a layout shift from three pixels on.
  return Math.hypot(now.x - before.x, middle(now) - middle(before)) < 3
}

/**
 * Of a line of text. Its box is as high as the font says, which is invisible, and Safari ignores the overrides for it. Its
 * middle is the middle of the line in any font.
 */
const middle = ({ y, height }: DOMRect) => y + height / 2

function firstLine(leaf: Node): DOMRect | undefined {
  const range = new Range()
  range.selectNode(leaf)
  return range.getClientRects()[0]
}
