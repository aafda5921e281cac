/**
 * Fetches what the first paint can do without as soon as that is done: the typefaces, and the questionnaire's script.
 * Asked for any earlier, they hold back the first paint of a slow phone by a hundred milliseconds and more.
 *
 * The typefaces take over from their stand-ins (build/fonts.ts) only if nothing on the screen would move: where one line
 * of text would break in another place, this page keeps its stand-ins.
 */
function afterFirstPaint(): void {
  const script = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')
  if (script) script.media = 'all'
  const headings = [...document.querySelectorAll('h1,h2,h3')].map(({ textContent }) => textContent).join('')
  // By their words, so that accented letters, which are in files of their own, are here in time as well.
  Promise.all([
    document.fonts.load('1em Fraunces', headings),
    document.fonts.load('1em "Atkinson Hyperlegible Next"', document.body.textContent),
  ]).then(changeTypefaces, () => {})
}

function changeTypefaces(): void {
  const { dataset } = document.documentElement
  if ('fonts' in dataset) return
  const seen = [...document.querySelectorAll('h1,h2,h3,p,a,button,li,dt,img,summary')].filter(isOnScreen)
  const tops = () => seen.map(element => element.getBoundingClientRect().top)
  const before = tops()
  dataset['fonts'] = ''
  if (tops().some((top, index) => Math.abs(top - (before[index] ?? 0)) > 2)) delete dataset['fonts']
}

function isOnScreen(element: Element): boolean {
  // What is below the fold has not been laid out yet, and must not be for this.
  if (!element.checkVisibility?.({ contentVisibilityAuto: true })) return false
  const { top, bottom } = element.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

// Not a frame's callback: that comes before its frame is on the screen, by 80 ms on a slow phone.
new PerformanceObserver((_, observer) => {
  observer.disconnect()
  afterFirstPaint()
}).observe({ type: 'paint', buffered: true })
