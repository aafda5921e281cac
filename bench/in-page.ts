/** What runs inside the measured pages. Each function is sent to the browser by itself, so none may use another. */
export interface Paints {
  readonly first: number
  readonly largest: number
  /** Which element was the largest, to know what a change of the figure is about. */
  readonly element: string
}

/** What the browser itself noted about the first answer; all times are milliseconds since the navigation began. */
export interface SeenOfYes {
  /** When the frame that first held Yes was on the screen; where the visitor is taken there, when it had come to rest. */
  painted?: number
  /** When the finger touched it, and how long after the lift the frame that shows the press was on the screen. */
  touched?: number
  shown?: number
  /** The press came before React had taken over. */
  beforeReact?: boolean
}

declare global {
  interface Window {
    seenOfYes: SeenOfYes
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
 * Notes when Yes is painted, by Element Timing, and what becomes of a press on it, by Event Timing. Both give times of
 * frames on the screen, whenever they get to tell the page: the browser's report of a paint comes late while it is busy,
 * and no visitor has to wait for that.
 */
export function noteYes(): void {
  window.seenOfYes = {}
  const answer = (target: EventTarget | null) => (target as Element | null)?.closest?.('[data-answer]')

  new MutationObserver((_, observer) => {
    const yes = document.querySelector('[data-answer="yes"]')
    if (!yes) return
    yes.setAttribute('elementtiming', 'yes')
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })

  new PerformanceObserver(list => {
    const [paint] = list.getEntries() as (PerformanceEntry & { renderTime: number })[]
    if (paint) window.seenOfYes.painted ??= paint.renderTime
  }).observe({ type: 'element', buffered: true })

  addEventListener(
    'pointerdown',
    ({ target, timeStamp }) => {
      if (!answer(target)) return
      window.seenOfYes.touched ??= timeStamp
      window.seenOfYes.beforeReact ??= window.earlyAnswer !== null
    },
    true,
  )

  new PerformanceObserver(list => {
    const clicks = list.getEntries() as PerformanceEventTiming[]
    const press = clicks.find(({ name, target }) => name === 'click' && answer(target))
    if (press) window.seenOfYes.shown ??= press.duration
    // The shortest that browsers tell; anything quicker would count as lost.
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

/** Resolves with the middle of Yes once that is wholly on the screen and has not moved for three frames. */
export function yesAtRest(): Promise<{ readonly x: number; readonly y: number }> {
  return new Promise(resolve => {
    let last = Number.NaN
    let still = 0
    requestAnimationFrame(function look(frame) {
      const box = document.querySelector('[data-answer="yes"]')?.getBoundingClientRect()
      const visible = box && box.top >= 0 && box.bottom <= innerHeight
      still = visible && box.top === last ? still + 1 : 0
      last = box?.top ?? Number.NaN
      if (!box || still < 3) return void requestAnimationFrame(look)
      window.seenOfYes.painted = frame
      resolve({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
    })
  })
}
