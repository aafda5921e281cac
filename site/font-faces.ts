/**
 * The typeface, and a stand-in with its proportions.
 * `optional`: a font that is late must not move the text under a reader's eyes. Preloaded, it is there in time on most
 * connections; where it is not, this page keeps the stand-in and the next one has the font from the cache.
 * The stand-in's figures make Arial, and what phones have in its place, as wide and as high as Atkinson Hyperlegible Next.
 */
export function fontFaces(fontPath: string): string {
  return (
    `@font-face{font-family:"Atkinson Hyperlegible Next";src:url(${fontPath})format("woff2");font-weight:400 700;font-display:optional}` +
    '@font-face{font-family:"Atkinson Fallback";src:local("Arial"),local("Roboto"),local("Liberation Sans");' +
    'size-adjust:101%;ascent-override:94%;descent-override:29%;line-gap-override:0%}'
  )
}
