/**
 * Loads the questionnaire's script and the typefaces right after first paint. Loaded earlier, they delay first paint on a
 * slow phone by 100 ms and more.
 */
function afterFirstPaint(paints: PerformanceObserverEntryList, observer: PerformanceObserver): void {
  // Not the paint of the empty background, which may come first.
  if (!paints.getEntriesByName('first-contentful-paint')[0]) return
  observer.disconnect()
  // Both are marked by a media value that nothing else uses: site/static/document.tsx.
  document.querySelector('link[media]')?.setAttribute('media', 'all')
  const typefaces = document.querySelector<HTMLStyleElement>('style[media]')
  // If that script fails, the page keeps its fallback fonts.
  if (typefaces?.media !== 'all') import(/* @vite-ignore */ `${typefaces?.dataset['script']}`).catch(() => {})
}

// Not requestAnimationFrame: it runs before the frame is on screen, by 80 ms on a slow phone.
new PerformanceObserver(afterFirstPaint).observe({ type: 'paint', buffered: true })
