/**
 * A visitor in any browser. Clicks and keystrokes go through the browser's own input handling.
 * Tests import `test` and `expect` from here.
 */

import { test as base, expect } from '@playwright/test'
import type { Language } from '../../domain/languages.ts'
import { fill } from '../../domain/text/fill.ts'
import { words } from '../../site-folder/site.ts'
import { allQuestions, yearOfBirth } from '../support/answers.ts'
import { type SiteServer, startSite } from '../support/site-server.ts'
import { type Browser, type Key, type Tab, UNTIL_PARSED } from './browser.ts'
import { type Engine, engines } from './engines.ts'
import { reportErrors } from './report-errors.ts'

export { expect }

export const ruth = {
  firstName: 'Ruth',
  lastName: "O'Neil",
  dateOfBirth: `${yearOfBirth}-03-15`,
  email: 'ruth@example.org',
  phone: '(555) 234-5678',
} as const

export const answerButton = (yes: boolean) => `[data-answer=${yes ? 'yes' : 'no'}]`
export const field = (name: keyof typeof ruth) => `#field-${name}`
export const SUBMIT = 'button[type=submit]'

/** Polls often, because most of a journey is spent waiting for the next question. */
export function eventually<Result>(read: () => Promise<Result>, message?: string) {
  return expect.poll(read, { intervals: [50], timeout: 60_000, ...(message ? { message } : {}) })
}

export const wordsAt = (path: string): (typeof words)[Language] => words[path.startsWith('/es/') ? 'es' : 'en']

/** Whether the latest press met something else. */
interface PressWatch {
  missed?: boolean
}

export class Visitor {
  readonly tab: Tab
  readonly site: Pick<SiteServer, 'url'>
  /** In the language of the page that was opened last. */
  words = wordsAt('/')

  constructor(tab: Tab, site: Pick<SiteServer, 'url'>) {
    this.tab = tab
    this.site = site
  }

  async open(path: string) {
    this.words = wordsAt(path)
    await this.tab.goto(this.site.url + path, UNTIL_PARSED)
  }

  async reload() {
    await this.tab.reload(UNTIL_PARSED)
  }

  /** The browser's Back button between questions. The drivers' own command waits for a new page. */
  async goBackOnPage() {
    await this.evaluate(() => history.back())
  }

  async goBack() {
    await this.tab.goBack(UNTIL_PARSED)
  }

  /** Runs a function in the page. Returns undefined if the page has navigated away. */
  async evaluate<Result, Args extends readonly unknown[]>(
    inPage: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result | undefined> {
    const expression = `JSON.stringify((${inPage})(...${JSON.stringify(args)}) ?? null)`
    try {
      return (JSON.parse(String(await this.tab.evaluate(expression))) ?? undefined) as Result | undefined
    } catch {
      return undefined
    }
  }

  /** The page's visible text. */
  async text() {
    // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden text
    return (await this.evaluate(() => document.body.innerText)) ?? ''
  }

  value(selector: string) {
    return this.evaluate(selector => document.querySelector<HTMLInputElement>(selector)?.value, selector)
  }

  /** What a screen reader says after a field's name: its hint and error. */
  async message(name: keyof typeof ruth) {
    const message = await this.evaluate(selector => {
      const ids = document.querySelector(selector)?.getAttribute('aria-describedby')?.split(' ') ?? []
      return ids.map(id => document.getElementById(id)?.textContent.trim()).join(' ')
    }, field(name))
    return message ?? ''
  }

  isFocused(selector: string) {
    return this.evaluate(selector => document.activeElement?.matches(selector), selector)
  }

  /** Scrolls the first clickable match into view and returns its center. */
  private center(selector: string) {
    return this.evaluate(selector => {
      for (const element of document.querySelectorAll<HTMLElement>(selector)) {
        if (
          element.matches(':disabled, [aria-disabled=true]') ||
          !element.checkVisibility({ visibilityProperty: true })
        )
          continue
        // Chromium 111 scrolls smoothly even if told `instant`, and each call starts over.
        document.documentElement.style.scrollBehavior = 'auto'
        element.scrollIntoView({ block: 'center' })
        document.documentElement.style.scrollBehavior = ''
        const box = element.getBoundingClientRect()
        const point = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
        if (element.contains(document.elementFromPoint(point.x, point.y))) return point
      }
      return undefined
    }, selector)
  }

  /** Presses again if the press met something else: on a busy machine, what's at that point may have moved just before. */
  async press(selector: string) {
    let point: { x: number; y: number } | undefined
    const isStill = async () => {
      const before = point
      point = await this.center(selector)
      return point !== undefined && point.x === before?.x && point.y === before.y
    }
    do {
      await eventually(isStill, `${selector} can be pressed`).toBe(true)
      await this.evaluate(selector => {
        const page = window as PressWatch
        page.missed = false
        const check = ({ target }: Event) => {
          page.missed = !(target as Element).closest(selector)
        }
        addEventListener('click', check, { capture: true, once: true })
      }, selector)
      if (point) await this.tab.mouse.click(point.x, point.y)
    } while (await this.evaluate(() => (window as PressWatch).missed))
  }

  /** Until the caret is there. */
  async enter(selector: string) {
    const isEntered = async () => {
      await this.press(selector)
      return this.isFocused(selector)
    }
    await eventually(isEntered, `${selector} has the caret`).toBe(true)
  }

  /** Types into the focused field. */
  async type(text: string) {
    await this.tab.keyboard.type(text)
  }

  async pressKeys(...keys: readonly Key[]) {
    for (const key of keys) await this.tab.keyboard.press(key)
  }

  async pressWithControl(key: Key) {
    await this.tab.keyboard.down('Control')
    await this.tab.keyboard.press(key)
    await this.tab.keyboard.up('Control')
  }

  async sees(text: string) {
    await eventually(() => this.text(), `sees ${text}`).toContain(text)
  }

  async arrivesAt(path: string) {
    // Ask the page: WebKit's driver sometimes still reports the previous URL.
    await eventually(() => this.evaluate(() => location.pathname)).toBe(path)
  }

  async seesQuestion(number: number) {
    await this.sees(fill(this.words.questionnaire.place, { number: number, total: allQuestions.length }))
  }

  /** Answers the remaining questions. Questions in `wrongly` get the answer that makes the visitor ineligible. */
  async answerAll({ from = 1, wrongly = [] as readonly number[] } = {}) {
    for (const { number, requiredAnswer } of allQuestions.filter(question => question.number >= from)) {
      await this.seesQuestion(number)
      await this.press(answerButton(wrongly.includes(number) ? !requiredAnswer : requiredAnswer))
    }
  }

  async reachContact(path = '/') {
    await this.open(path)
    await this.answerAll()
    await this.sees(this.words.contactForm.lead)
  }

  /** Appends to what's already in the fields. */
  async fillIn(contact: Partial<Record<keyof typeof ruth, string>> = ruth) {
    for (const [name, text] of Object.entries(contact) as [keyof typeof ruth, string][]) {
      if (name === 'dateOfBirth') await this.enterDate(text)
      else {
        await this.enter(field(name))
        await this.pressKeys('End')
        await this.type(text)
      }
    }
  }

  /** Types a YYYY-MM-DD date into its three boxes. */
  async enterDate(date: string) {
    const [year = '', month = '', day = ''] = date.split('-')
    for (const [part, text] of Object.entries({ month, day, year })) {
      const box = `[name=dateOfBirth-${part}]`
      await this.enter(box)
      // Select the old content, so typing replaces it.
      await this.evaluate(selector => document.querySelector<HTMLInputElement>(selector)?.select(), box)
      await this.type(text)
    }
  }

  /** Sets a value the way autofill does: without the keyboard, and bypassing React, which intercepts assignments. */
  async setValue(selector: string, value: string) {
    await this.evaluate(
      (selector, value) => {
        const input = document.querySelector<HTMLInputElement>(selector)
        if (!input) return
        input.focus()
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
        input.dispatchEvent(new Event('input', { bubbles: true }))
        input.dispatchEvent(new Event('change', { bubbles: true }))
      },
      selector,
      value,
    )
  }
}

interface Fixtures {
  scripting: boolean
  site: SiteServer
  tab: Tab
  visitor: Visitor
}

export const test = base.extend<Fixtures, { engine: Engine['name']; browserInstance: Browser }>({
  engine: ['system-chromium', { scope: 'worker', option: true }],
  scripting: [true, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    const errors: string[] = []
    const site = await startSite({ ownStore: true, change: reportErrors, onPageError: error => errors.push(error) })
    await use(site)
    await site.close()
    expect(errors, 'uncaught errors in the pages').toEqual([])
  },
  browserInstance: [
    async ({ engine }, use) => {
      const { start } = engines.find(({ name }) => name === engine) as Engine
      const browser = await start()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  tab: async ({ browserInstance, scripting }, use, testInfo) => {
    const { version, tab, errors, close } = await browserInstance.openTab({ scripting })
    testInfo.annotations.push({ type: 'browser', description: version })
    await use(tab)
    await close()
    expect(errors, 'uncaught errors').toEqual([])
  },
  // The site comes first, so it closes last: pages must not send requests to a closed server.
  visitor: async ({ site, tab }, use) => use(new Visitor(tab, site)),
})
