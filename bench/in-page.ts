/** What runs inside the measured pages. Each function is sent to the browser by itself, so none may use another. */
export interface Paints {
  readonly first: number
  readonly largest: number
  /** Which element was the largest, to know what a change of the figure is about. */
  readonly element: string
}

export interface Press {
  /** When the link to the form was pressed, if Yes was not on the first screen. */
  readonly linkPressed: number | null
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
 * Presses Yes as soon as it is wholly inside the viewport, and notes when the press shows. Where the first screen does
 * not hold it, the first call-to-action link to the form is pressed, as soon as that one is visible, and scrolls there.
 *
 * Yes counts as visible from the earliest time it can have been: the last frame that did not yet see it inside the
 * viewport, or the first contentful paint if that came later. The page scrolls without asking its own script, so the
 * screen may be that much ahead of it. The browser's time to report a paint or an intersection counts against us, though
 * no person has to wait for that report. In our favour, the press is a script's: a finger's goes through the browser
 * first, and the frame that shows the pressed button comes after the moment noted here.
 */
export function pressYesWhenVisible(): void {
  const frames: number[] = []
  /** What has been looked at, with the time of the frame that saw it wholly inside, or null while it is not. */
  const seenInside = new Map<Element, number | null>()
  /** The first frame that held the button; by the next one it has been painted, once the browser paints at all. */
  let firstFrame: number | undefined
  let linkPressed: number | null = null
  let done = false

  const inside = new IntersectionObserver(
    entries => {
      for (const { target, time, intersectionRatio } of entries) {
        seenInside.set(target, intersectionRatio < 1 ? null : time)
      }
      pressWhatIsVisible()
    },
    { threshold: 1 },
  )

  function pressWhatIsVisible(): void {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const yes = document.querySelector<HTMLButtonElement>('[data-answer="yes"]')
    const seen = yes && seenInside.get(yes)
    if (done || !paint || !yes) return
    // Before anything has scrolled, its place is known without waiting a frame for the observer's word.
    if (linkPressed === null && firstFrame !== undefined && isInside(yes)) {
      pressYes(yes, Math.max(paint.startTime, firstFrame))
      return
    }
    if (seen === undefined) return
    if (typeof seen === 'number') pressYes(yes, Math.max(paint.startTime, frameBefore(seen)))
    else pressLinkTo(yes.closest('section[id]'))
  }

  function pressYes(yes: HTMLButtonElement, visible: number): void {
    done = true
    inside.disconnect()
    const beforeReact = window.earlyAnswer !== null
    const pressed = performance.now()
    yes.click()
    noteEffect({ linkPressed, visible, pressed, beforeReact })
  }

  function pressLinkTo(form: Element | null): void {
    const link = form && document.querySelector<HTMLAnchorElement>(`a[role="button"][href="#${form.id}"]`)
    if (linkPressed !== null || !link) return
    const seen = seenInside.get(link)
    if (seen === undefined) inside.observe(link)
    if (typeof seen !== 'number') return
    linkPressed = performance.now()
    link.click()
  }

  function isInside(element: Element): boolean {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  }

  const frameBefore = (time: number) => frames.filter(start => start < time).at(-2) ?? 0

  function noteEffect(press: Omit<Press, 'effect'>): void {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-answer]')]
    if (buttons.some(({ dataset }) => 'pressed' in dataset) && buttons.every(({ disabled }) => disabled)) {
      window.benchPress = { ...press, effect: performance.now() }
    } else requestAnimationFrame(() => noteEffect(press))
  }

  function eachFrame(frame: number): void {
    frames.push(frame)
    pressWhatIsVisible()
    const yes = document.querySelector('[data-answer="yes"]')
    if (yes) firstFrame ??= frame
    if (yes && !done && !seenInside.has(yes)) inside.observe(yes)
    if (!done) requestAnimationFrame(eachFrame)
  }

  requestAnimationFrame(eachFrame)
  new PerformanceObserver(pressWhatIsVisible).observe({ type: 'paint', buffered: true })
}
