/**
 * Loads the fonts on a visitor's first page, after first paint (site/browser/inline/after-first-paint.ts).
 *
 * A font replaces its fallback (build/fonts.ts) only if nothing on screen would move. FontFace objects can be removed
 * again before the next paint; fonts in CSS can't.
 */
const style = document.querySelector<HTMLStyleElement>('style[media]')
const rules = Array.from(style?.sheet?.cssRules ?? []) as CSSFontFaceRule[]

async function swap(family: string): Promise<void> {
  const faces: FontFace[] = []
  for (const { style } of rules) {
    // Firefox has no properties for these, such as `fontFamily`.
    const valueIn = (name: string) => style.getPropertyValue(name)
    if (!valueIn('font-family').includes(family)) continue
    const [weight, unicodeRange] = [valueIn('font-weight'), valueIn('unicode-range')]
    faces.push(new FontFace(family, valueIn('src'), { weight, unicodeRange, display: 'swap' }))
  }
  await Promise.all(faces.map(face => face.load()))
  const before = positions()
  for (const face of faces) document.fonts.add(face)
  // Browsers ignore layout shifts of less than three pixels.
  if (positions().some((now, index) => Math.abs(now - (before[index] ?? 0)) >= 3)) {
    for (const face of faces) document.fonts.delete(face)
  }
}

/** Where each element's first line of text starts, on screen. */
function positions(): number[] {
  const range = new Range()
  return Array.from(document.querySelectorAll('body *')).flatMap(element => {
    range.selectNodeContents(element)
    const { x = 0, y = 0, height = 0 } = range.getClientRects()[0] ?? {}
    // The middle of a line is the same in any font. The height of its box isn't: Safari ignores our overrides.
    return y > innerHeight ? [0, 0] : [x, y + height / 2]
  })
}

swap('Fraunces').then(() => swap('Atkinson'))
