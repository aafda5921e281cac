/**
 * The typeface, and a stand-in with its proportions.
 * `optional`: a font that is late must not move the text under a reader's eyes. Preloaded, it is there in time on most
 * connections; where it is not, this page keeps the stand-in and the next one has the font from the cache.
 * The stand-in's figures make Arial, and what phones have in its place, as wide and as high as Atkinson Hyperlegible Next:
 * our headline and first question are 99.5 % as wide in regular and 99.7 % in bold, 98 % of the size above and 32 % below
 * the line.
 */
export function fontFaces(fontPath: string): string {
  return (
    `@font-face{font-family:"Atkinson Hyperlegible Next";src:url(${fontPath})format("woff2");font-weight:400 700;font-display:optional}` +
    standIn(400, ['Arial', 'Roboto', 'Liberation Sans'], 99.5) +
    // A bold of its own: a browser would smear the regular one.
    standIn(700, ['Arial Bold', 'Arial-BoldMT', 'Roboto Bold', 'Roboto-Bold', 'Liberation Sans Bold'], 99.7)
  )
}

function standIn(weight: number, names: readonly string[], width: number): string {
  const sources = names.map(name => `local("${name}")`).join()
  // Heights are a share of the font's size, which the width has changed: they are given back what it took.
  const height = (share: number) => `${Math.round((share * 100) / width)}%`
  return (
    `@font-face{font-family:"Atkinson Fallback";src:${sources};font-weight:${weight};size-adjust:${width}%;` +
    `ascent-override:${height(98)};descent-override:${height(32)};line-gap-override:0%}`
  )
}
