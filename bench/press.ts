/**
 * How long after a press the visitor sees it. A finger's touch goes through the browser as a real one does, at several
 * moments from the one in which Yes is painted; counted is from the lift of the finger, which makes a click of the touch,
 * to the frame on the screen that shows it, as the browser itself notes both (Event Timing, in steps of 8 ms).
 *
 * When exactly Yes will be painted nobody knows beforehand, and the page is told too late. So the finger comes at a
 * moment reckoned from earlier loads, and a touch that came before the paint does not count: that load is repeated.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { questionnaire } from '../content/panel/questionnaire.ts'
import { questions } from '../content/questions.ts'
import { noteYes, type SeenOfYes, yesAtRest } from './in-page.ts'
import { median } from './median.ts'
import { printTable, verdict } from './table.ts'

/** When the finger touches, in milliseconds after Yes was painted. */
export const MOMENTS = [0, 50, 100, 200, 400, 800, 1600] as const
const TOUCH_MS = 80
const BAR_MS = 50
/** A press that has not shown or counted by then is lost. */
const TIMEOUT_MS = 15_000
const MOST_TRIES = 12

export interface Press extends Required<SeenOfYes> {
  readonly moment: number
  /** The question after it was reached. */
  readonly counted: boolean
}

type OnPhone = <T>(measure: (page: Page, session: CDPSession) => Promise<T>) => Promise<T>

interface Place {
  readonly x: number
  readonly y: number
}

/** Presses Yes on one page, at one moment after another. */
export class Presser {
  readonly presses: Press[] = []
  readonly #onPhone: OnPhone
  readonly #url: string
  /** From the first byte of the page to the paint of Yes, in earlier loads. */
  readonly #paintedAfter: number[] = []
  #place: Place | null = null
  /** Touches that came before the paint. */
  tooEarly = 0

  constructor(onPhone: OnPhone, url: string) {
    this.#onPhone = onPhone
    this.#url = url
  }

  /** The first loads only look when and where Yes is painted. */
  async warmUp(): Promise<void> {
    for (let load = 0; load < 3; load++) {
      await this.#load(async page => {
        await page.waitForLoadState('load')
        const yes = await page.locator('[data-answer="yes"]').boundingBox()
        const height = page.viewportSize()?.height ?? 0
        const onFirstScreen = yes !== null && yes.y + yes.height <= height
        this.#place = onFirstScreen ? { x: yes.x + yes.width / 2, y: yes.y + yes.height / 2 } : null
        await wait(1000)
      })
    }
  }

  async pressAt(moment: number): Promise<void> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const press = await this.#load((page, session) => this.#press(page, session, moment))
      if (press.touched >= press.painted) return void this.presses.push(press)
      this.tooEarly++
    }
    throw new Error(`No touch of ${this.#url} came after Yes was painted.`)
  }

  #load<T>(measure: (page: Page, session: CDPSession) => Promise<T>): Promise<T> {
    return this.#onPhone(async (page, session) => {
      await page.addInitScript(noteYes)
      await page.goto(this.#url, { waitUntil: 'commit' })
      const committed = Date.now()
      const result = await measure(page, session)
      const painted = await page.evaluate(() => performance.timeOrigin + (window.seenOfYes.painted ?? Number.NaN))
      if (painted > committed) this.#paintedAfter.push(painted - committed)
      return result
    })
  }

  async #press(page: Page, session: CDPSession, moment: number): Promise<Press> {
    if (this.#place) {
      await wait(median(this.#paintedAfter) + moment)
      await touch(session, this.#place)
    } else {
      await page.locator('a[role="button"][href^="#"]').first().tap()
      const place = await page.evaluate(yesAtRest)
      await wait(moment)
      await touch(session, place)
    }
    const second = page.getByRole('heading', { name: questionnaire.place(2, questions.length) })
    const counted = await second.waitFor({ timeout: TIMEOUT_MS }).then(
      () => true,
      () => false,
    )
    const seen = await page.evaluate(() => window.seenOfYes)
    return { painted: 0, touched: 0, shown: Number.POSITIVE_INFINITY, beforeReact: false, ...seen, moment, counted }
  }
}

async function touch(session: CDPSession, place: Place): Promise<void> {
  // Nobody's finger waits until the page has dealt with its touch.
  const touched = session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [place] })
  await wait(TOUCH_MS)
  await Promise.all([touched, session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })])
}

const whatCounts = `  A finger touches Yes so many milliseconds after it was painted (or, where a link leads there, had come to rest), and
  lifts ${TOUCH_MS} ms later. Counted is from the lift to the frame on the screen that shows the press, in steps of 8 ms.
`

export function printPresses(all: readonly { readonly path: string; readonly presser: Presser }[]): void {
  console.log(whatCounts)
  const rows = all.map(({ path, presser: { presses, tooEarly } }) => {
    const shown = presses.map(press => press.shown)
    const at = (moment: number) => median(presses.filter(press => press.moment === moment).map(press => press.shown))
    const counted = presses.filter(press => press.counted).length
    return [
      path,
      ...MOMENTS.map(moment => at(moment).toFixed(0)),
      median(shown).toFixed(0),
      Math.max(...shown).toFixed(0),
      String(BAR_MS),
      verdict(median(shown) <= BAR_MS),
      `${counted} of ${presses.length}`,
      verdict(counted === presses.length),
      String(presses.filter(({ beforeReact }) => beforeReact).length),
      String(tooEarly),
    ]
  })
  printTable(
    [
      'Page',
      ...MOMENTS.map(moment => `+${moment}`),
      'Median, ms',
      'Worst',
      'Bar',
      '',
      'Counted',
      '',
      'Before React',
      'Too early, repeated',
    ],
    rows,
  )
}
