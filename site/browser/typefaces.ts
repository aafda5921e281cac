/**
 * Brings the typefaces to a visitor's first page, after its first paint (site/browser/inline/after-first-paint.ts).
 *
 * A typeface takes over from its stand-in (build/assets/fonts.ts) only if nothing on the screen would move; where something
 * would, this page keeps the stand-in. All of it waits for moments when the phone has nothing else to do, one typeface at
 * a time, so that no press has to wait for both. The faces are made here, and not by the page's style, because a browser
 * lays the whole page out anew for each face of a style that arrives, whether it is in use or not.
 */
const style = document.querySelector<HTMLStyleElement>('style[media]')
/** Safari has no callback for idle moments. */
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
    // An attempt that is undone before the browser paints is not seen, and moves nothing.
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
    // By its words, so that accented letters, which are in files of their own, are here in time as well.
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

/** Words and pictures, and where they begin: nothing that holds them can move without them. */
type Start = readonly [leaf: Node, line: DOMRect | undefined]

function startsIn(parent: Element): Start[] {
  return Array.from(parent.childNodes).flatMap((node): Start[] => {
    const { firstChild, localName, checkVisibility } = node as Element
    if (!firstChild || localName === 'svg') return [[node, firstLine(node)]]
    // What is below the fold has not been laid out yet, and must not be for this.
    return checkVisibility?.call(node, { contentVisibilityAuto: true }) === false ? [] : startsIn(node as Element)
  })
}

function staysPut([leaf, before]: Start): boolean {
  const now = firstLine(leaf)
  if (!before || !now || Math.min(before.y, now.y) > innerHeight) return true
  // From three pixels on, in either direction, browsers count a layout shift.
  return Math.hypot(now.x - before.x, middle(now) - middle(before)) < 3
}

/**
 * Of a line of words. Its box is as high as the font says, which nobody sees, and which Safari does not let a stand-in
 * override; the middle of it is the middle of the line, whatever the font.
 */
const middle = ({ y, height }: DOMRect) => y + height / 2

function firstLine(leaf: Node): DOMRect | undefined {
  const range = new Range()
  range.selectNode(leaf)
  return range.getClientRects()[0]
}
