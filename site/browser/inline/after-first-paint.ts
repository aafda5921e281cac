/**
 * Loads the questionnaire's script and the fonts right after first paint. Loading them earlier would delay first paint on a
 * slow phone by 100 ms or more.
 */
function afterFirstPaint(paints: PerformanceObserverEntryList, observer: PerformanceObserver): void {
  // Ignore the `first-paint` entry, which may be just the empty background.
  if (!paints.getEntriesByName('first-contentful-paint')[0]) return
  observer.disconnect()
  // This link and this style are the only ones with a media attribute (site/static/document.tsx).
  document.querySelector('link[media]')?.setAttribute('media', 'all')
  const { media, dataset } = document.querySelector('style[media]') as HTMLStyleElement
  // If the import fails, the page keeps its fallback fonts.
  if (media !== 'all') import(/* @vite-ignore */ `${dataset['script']}`).catch(() => {})
}

// Not requestAnimationFrame, which on a slow phone runs 80 ms before the frame is on screen.
new PerformanceObserver(afterFirstPaint).observe({ type: 'paint', buffered: true })
