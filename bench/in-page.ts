/** What runs inside the measured pages. Each function is sent to the browser by itself, so none may use another. */
export interface Paints {
  readonly first: number
  readonly largest: number
  /** Which element was the largest, to know what a change of the figure is about. */
  readonly element: string
}

export interface Press {
  readonly visible: number
  readonly pressed: number
  readonly effect: number
  /** The press came before React had taken over. */
  readonly beforeReact: boolean
}

declare global {
  interface Window {
    benchPress?: Press
  }
}

export function readPaints(): Promise<Paints> {
  return new Promise(resolve => {
    new PerformanceObserver(list => {
      const largest = list.getEntries().at(-1) as LargestContentfulPaint
      const [first] = performance.getEntriesByName('first-contentful-paint')
      const { element } = largest
      const words = element?.textContent?.trim().split(/\s+/).slice(0, 4).join(' ')
      resolve({
        first: first?.startTime ?? Number.NaN,
        largest: largest.startTime,
        element: element ? `${element.localName}${words ? ` "${words} …"` : ''}` : 'gone',
      })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
}

/**
 * Presses Yes as soon as it has been painted, and notes when the press shows.
 * It counts as visible from the earliest time it can have been: the first contentful paint, or the start of the first
 * frame that held it if that came later. The browser's time to report that paint counts against us.
 */
export function pressYesWhenVisible(): void {
  let firstFrame: number | undefined
  let pressed = false

  function pressIfVisible(): void {
    const yes = document.querySelector<HTMLButtonElement>('[data-answer="yes"]')
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    if (pressed || !yes || !paint || firstFrame === undefined) return
    pressed = true
    const beforeReact = window.earlyAnswer !== null
    const at = performance.now()
    yes.click()
    noteEffect({ visible: Math.max(paint.startTime, firstFrame), pressed: at, beforeReact })
  }

  function noteEffect(press: Omit<Press, 'effect'>): void {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-answer]')]
    if (buttons.some(({ dataset }) => 'pressed' in dataset) && buttons.every(({ disabled }) => disabled)) {
      window.benchPress = { ...press, effect: performance.now() }
    } else requestAnimationFrame(() => noteEffect(press))
  }

  // In one frame the button is there, and by the next one it has been painted, once the browser paints at all.
  function eachFrame(frame: number): void {
    pressIfVisible()
    if (document.querySelector('[data-answer="yes"]')) firstFrame ??= frame
    if (!pressed) requestAnimationFrame(eachFrame)
  }

  requestAnimationFrame(eachFrame)
  new PerformanceObserver(pressIfVisible).observe({ type: 'paint', buffered: true })
}
