/**
 * Fetches what the first paint can do without as soon as that is done: the typefaces, and the questionnaire's script.
 * Asked for any earlier, they hold back the first paint of a slow phone by a hundred milliseconds and more.
 *
 * The typefaces take over from their stand-ins (build/fonts.ts) only if nothing on the screen would move. Where something
 * would, in the text or in its headings, this page keeps the stand-in for the text, or for both.
 */
function afterFirstPaint(_: unknown, observer: PerformanceObserver): void {
  observer.disconnect()
  const { body, fonts } = document
  // Held back by its media, the only link that has any: site/static/document.tsx.
  document.querySelector('link[media]')?.setAttribute('media', 'all')
  const headings = `${Array.from(document.querySelectorAll('h1,h2,h3'), heading => heading.textContent)}`
  // By their words, so that accented letters, which are in files of their own, are here in time as well.
  Promise.all([fonts.load('1em Fraunces', headings), fonts.load('1em Atkinson', body.textContent)]).then(
    changeTypefaces,
    () => {},
  )
}

/** Words and pictures, and where they begin: nothing that holds them can move without them. */
type Start = readonly [leaf: Node, line: DOMRect | undefined]

function changeTypefaces(): void {
  const { dataset } = document.documentElement
  if (dataset['fonts']) return
  const starts: Start[] = []
  const walker = document.createTreeWalker(document.body)
  while (walker.nextNode()) {
    const node = walker.currentNode
    // What is below the fold has not been laid out yet, and must not be for this.
    const laidOut = (node.parentNode as Element).checkVisibility?.({ contentVisibilityAuto: true }) !== false
    if (laidOut && !node.firstChild) starts.push([node, firstLine(node)])
  }
  // An attempt that is undone before the browser paints is not seen, and moves nothing.
  for (const faces of ['all', 'heading', '']) {
    dataset['fonts'] = faces
    if (starts.every(staysPut)) break
  }
}

function staysPut([leaf, before]: Start): boolean {
  const now = firstLine(leaf)
  if (!before || !now || Math.min(before.y, now.y) > innerHeight) return true
  // From three pixels on, in either direction, browsers count a layout shift.
  return Math.hypot(now.x - before.x, now.y - before.y) < 3
}

function firstLine(leaf: Node): DOMRect | undefined {
  const range = new Range()
  range.selectNode(leaf)
  return range.getClientRects()[0]
}

// Not a frame's callback: that comes before its frame is on the screen, by 80 ms on a slow phone.
new PerformanceObserver(afterFirstPaint).observe({ type: 'paint', buffered: true })
