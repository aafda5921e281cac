/**
 * Fetches what the first paint can do without as soon as that is done: the questionnaire's script, and the typefaces.
 * Asked for any earlier, they hold back the first paint of a slow phone by a hundred milliseconds and more.
 */
function afterFirstPaint(paints: PerformanceObserverEntryList, observer: PerformanceObserver): void {
  // Not the paint of the empty page in its colour, which may come before.
  if (!paints.getEntriesByName('first-contentful-paint')[0]) return
  observer.disconnect()
  // Both are marked by their media, which nothing else has: site/static/document.tsx.
  document.querySelector('link[media]')?.setAttribute('media', 'all')
  const typefaces = document.querySelector<HTMLStyleElement>('style[media]')
  // Without the script that brings them, the page keeps the stand-ins.
  if (typefaces?.media !== 'all') import(/* @vite-ignore */ `${typefaces?.dataset['script']}`).catch(() => {})
}

// Not a frame's callback: that comes before its frame is on the screen, by 80 ms on a slow phone.
new PerformanceObserver(afterFirstPaint).observe({ type: 'paint', buffered: true })
