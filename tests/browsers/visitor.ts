/**
 * A visitor with another engine than Chromium's: what a person does and sees there. Every press and every key goes
 * through the engine's own input. Journeys import `test` and `expect` from here.
 */

import { test as base, expect } from '@playwright/test'
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { asked } from '../support/answers.ts'
import { storedLeads as leadsIn } from '../support/lead-fixtures.ts'
import { type SiteServer, startSite } from '../support/site-server.ts'
import { type Browser, keys } from './browser.ts'
import { type Engine, engines } from './engines.ts'

export { expect }

export const ruth = {
  firstName: 'Ruth',
  lastName: "O'Neil",
  dateOfBirth: '1965-03-15',
  email: 'ruth@example.org',
  phone: '(555) 234-5678',
} as const

export const answerButton = (yes: boolean) => `[data-answer=${yes ? 'yes' : 'no'}]`
export const field = (name: keyof typeof ruth) => `#field-${name}`
export const SUBMIT = 'button[type=submit]'

/** For what comes a little later. Asked often: most of a journey is waiting for the next question. */
export function eventually<Result>(read: () => Promise<Result>, message?: string) {
  return expect.poll(read, { intervals: [50], timeout: 10_000, ...(message ? { message } : {}) })
}

export class Visitor {
  readonly browser: Browser
  readonly site: Pick<SiteServer, 'url'>

  constructor(browser: Browser, site: Pick<SiteServer, 'url'>) {
    this.browser = browser
    this.site = site
  }

  async open(path: string) {
    await this.browser.open(this.site.url + path)
  }

  /** What a function gives that runs in the page; undefined while one page makes way for another. */
  async look<Result, Args extends readonly unknown[]>(
    inPage: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result | undefined> {
    const expression = `JSON.stringify((${inPage})(...${JSON.stringify(args)}) ?? null)`
    try {
      return (JSON.parse(await this.browser.evaluate(expression)) ?? undefined) as Result | undefined
    } catch {
      return undefined
    }
  }

  path() {
    return this.look(() => location.pathname)
  }

  /** What can be read on the page. */
  async text() {
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not read
    return (await this.look(() => document.body.innerText)) ?? ''
  }

  value(selector: string) {
    return this.look(selector => document.querySelector<HTMLInputElement>(selector)?.value, selector)
  }

  /** What is read out with a field: the messages that it is described by. */
  async message(name: keyof typeof ruth) {
    const message = await this.look(selector => {
      const ids = document.querySelector(selector)?.getAttribute('aria-describedby')?.split(' ') ?? []
      return ids.map(id => document.getElementById(id)?.textContent.trim()).join(' ')
    }, field(name))
    return message ?? ''
  }

  isFocused(selector: string) {
    return this.look(selector => document.activeElement?.matches(selector), selector)
  }

  /** The middle of the one that can be seen and pressed, brought into view. */
  private middle(selector: string) {
    return this.look(selector => {
      for (const element of document.querySelectorAll<HTMLElement>(selector)) {
        if (
          element.matches(':disabled, [aria-disabled=true]') ||
          !element.checkVisibility({ visibilityProperty: true })
        )
          continue
        element.scrollIntoView({ block: 'center', behavior: 'instant' })
        const box = element.getBoundingClientRect()
        const point = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
        if (element.contains(document.elementFromPoint(point.x, point.y))) return point
      }
      return undefined
    }, selector)
  }

  async press(selector: string) {
    const points: ({ x: number; y: number } | undefined)[] = []
    const settled = async () => {
      points.unshift(await this.middle(selector))
      return points[0] && JSON.stringify(points[0]) === JSON.stringify(points[1])
    }
    // Not while it still moves, as when a typeface arrives.
    await eventually(settled, `${selector} can be pressed`).toBe(true)
    const { x, y } = points[0] as { x: number; y: number }
    await this.browser.perform([
      {
        type: 'pointer',
        id: 'finger',
        actions: [
          { type: 'pointerMove', x, y },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])
  }

  /** Keys one after the other, wherever the focus is. */
  async type(text: string) {
    const actions = [...text].flatMap(value => [
      { type: 'keyDown' as const, value },
      { type: 'keyUp' as const, value },
    ])
    await this.browser.perform([{ type: 'key', id: 'keyboard', actions }])
  }

  /** A key with another held down. */
  async chord(held: string, value: string) {
    await this.browser.perform([
      {
        type: 'key',
        id: 'keyboard',
        actions: [
          { type: 'keyDown', value: held },
          { type: 'keyDown', value },
          { type: 'keyUp', value },
          { type: 'keyUp', value: held },
        ],
      },
    ])
  }

  async sees(text: string | RegExp) {
    const message = `sees ${text}`
    if (typeof text === 'string') await eventually(() => this.text(), message).toContain(text)
    else await eventually(() => this.text(), message).toMatch(text)
  }

  async arrivesAt(path: string) {
    await eventually(() => this.path()).toBe(path)
  }

  async seesQuestion(number: number) {
    await this.sees(questionnaire.place(number, asked.length))
  }

  /** Answers what is left of the questions; those numbered in `wrongly` so that the visitor is not eligible. */
  async answerAll({ from = 1, wrongly = [] as readonly number[] } = {}) {
    for (const { number, requiredAnswer } of asked.filter(question => question.number >= from)) {
      await this.seesQuestion(number)
      await this.press(answerButton(wrongly.includes(number) ? !requiredAnswer : requiredAnswer))
    }
  }

  async reachContact(path = '/') {
    await this.open(path)
    await this.answerAll()
    await this.sees(contactForm.lead)
  }

  async fillIn(contact: Partial<Record<keyof typeof ruth, string>> = ruth) {
    for (const [name, text] of Object.entries(contact) as [keyof typeof ruth, string][]) {
      if (name === 'dateOfBirth') await this.enterDate(text)
      else {
        await this.press(field(name))
        // A press into the middle of what is there would put the cursor there.
        await this.type(keys.end + text)
      }
    }
  }

  /** Types a date, given as YYYY-MM-DD, into its three boxes. */
  async enterDate(date: string) {
    const [year = '', month = '', day = ''] = date.split('-')
    for (const [part, text] of Object.entries({ month, day, year })) {
      const box = `[name=dateOfBirth-${part}]`
      await this.press(box)
      // What it held before is typed over.
      await this.look(selector => document.querySelector<HTMLInputElement>(selector)?.select(), box)
      await this.type(text)
    }
  }
}

interface TestFixtures {
  scripting: boolean
  site: SiteServer
  visitor: Visitor
}

interface WorkerFixtures {
  engine: Engine['name']
  /** The one window of this engine, with scripts or without, opened when first asked for. */
  window: (options: { scripting: boolean }) => Promise<Browser>
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ['webkit', { scope: 'worker', option: true }],
  window: [
    async ({ engine: name }, use) => {
      const engine = engines.find(each => each.name === name) as Engine
      const windows = new Map<boolean, Promise<Browser>>()
      await use(({ scripting }) => {
        const open = windows.get(scripting) ?? engine.start({ scripting })
        windows.set(scripting, open)
        return open
      })
      for (const open of windows.values()) await (await open).close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  scripting: [true, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    const site = await startSite({ withReceiver: false })
    await use(site)
    await site.close()
  },
  visitor: async ({ window, scripting, site }, use) => {
    const browser = await window({ scripting })
    await use(new Visitor(browser, site))
    // A page that is left while its server goes away would be asked for again.
    await browser.open('about:blank')
  },
})

export async function storedLeads({ dataDir }: SiteServer) {
  return leadsIn(storeFile(dataDir))
}
