/** A visitor in Chromium. Tests import `test` and `expect` from here. */

import { createHash } from 'node:crypto'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { BUILT } from '../../build/build.ts'
import { type ContactField, contactFields } from '../../domain/contact/contact-fields.ts'
import type { DatePart } from '../../domain/dates.ts'
import type { Language } from '../../domain/languages.ts'
import type { Contact } from '../../domain/leads/lead.ts'
import { fill } from '../../domain/text/fill.ts'
import { delays } from '../../domain/visits/delays.ts'
import { words } from '../../site-folder/site.ts'
import { allQuestions, yearOfBirth } from '../support/answers.ts'
import { type SiteServer, startSite } from '../support/site-server.ts'

const { consent, notFound } = words.en

export { expect }

declare global {
  interface Window {
    /** The delays of the timers set since `stopTime`. */
    timers: number[]
  }
}

export const margaret = {
  firstName: 'Margaret',
  lastName: 'O’Sullivan-Núñez',
  dateOfBirth: `${yearOfBirth}-04-12`,
  email: 'margaret@example.org',
  phone: '(555) 234-5678',
}

export const SUBMIT = consent.button

export const startingWith = (words: string) => new RegExp(`^${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

/** The text as displayed, with styles applied. */
export async function shownText(element: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: the displayed text counts, not the source
  return (await element.innerText()).trim()
}

/** The text's version, as the server computes it. */
export const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

export class Visitor {
  readonly page: Page
  readonly site: SiteServer
  /** In the language of the page that was opened last. */
  words: (typeof words)[Language] = words.en

  constructor(page: Page, site: SiteServer) {
    this.page = page
    this.site = site
  }

  get panel() {
    return this.page.locator('#qualification-form, #eligibility-form')
  }

  get submitButton() {
    return this.panel.locator('[data-questionnaire] button[type=submit]')
  }

  button(name: string) {
    return this.panel.getByRole('button', { name, exact: true })
  }

  /** The input, or the group of three boxes for a date. */
  field(name: ContactField) {
    const { label } = this.words.contactForm.fields[name]
    return name === 'dateOfBirth' ? this.panel.getByRole('group', { name: label }) : this.panel.getByLabel(label)
  }

  dateBox(part: DatePart) {
    return this.field('dateOfBirth').getByLabel(this.words.contactForm.fields.dateOfBirth.parts?.[part] ?? '')
  }

  question(number: number) {
    return this.panel.getByRole('heading', {
      name: fill(this.words.questionnaire.place, { number: number, total: allQuestions.length }),
    })
  }

  async open(path: string) {
    this.words = words[path.startsWith('/es/') ? 'es' : 'en']
    // Don't wait for scripts: visitors don't either, and some tests hold scripts back.
    await this.page.goto(this.site.url + path, { waitUntil: 'domcontentloaded' })
  }

  /** Moves the pointer to the panel, which starts React, and waits until React has taken over. */
  async ready() {
    await this.page.locator('[data-questionnaire] progress').dispatchEvent('mouseover')
    await this.page.waitForFunction(() => window.earlyAnswer === null)
  }

  async answer(yes: boolean) {
    const { questionnaire } = this.words
    await this.button(yes ? questionnaire.yes : questionnaire.no).click()
  }

  /** Answers the questions. Questions in `wrongly` get the answer that makes the visitor ineligible. */
  async answerAll({ from = 1, to = allQuestions.length, wrongly = [] as readonly number[] } = {}) {
    for (const { number, requiredAnswer } of allQuestions.slice(from - 1, to)) {
      await expect(this.question(number)).toBeVisible()
      await this.answer(wrongly.includes(number) ? !requiredAnswer : requiredAnswer)
      await this.page.clock.runFor(delays.answerLock)
    }
    if (to < allQuestions.length) await expect(this.question(to + 1)).toBeVisible()
  }

  /** Opens the page with a fake clock and waits for React. */
  async start(path = '/') {
    await this.page.clock.install()
    await this.open(path)
    await this.ready()
  }

  async reachContact(path = '/') {
    await this.start(path)
    await this.answerAll()
    await expect(this.submitButton).toBeVisible()
  }

  /** Advances the page's clock until the redirect. */
  async waitForRedirect(path: '/thank-you' | '/decline' | '/es/decline') {
    await expect(async () => {
      await this.page.clock.runFor(delays.declineRedirect)
      expect(new URL(this.page.url()).pathname).toBe(path)
    }).toPass({ intervals: [20, 50, 100] })
  }

  /** Waits for a few frames, even while the clock is stopped: long enough for the browser to report a layout shift. */
  async frames(count = 5) {
    await this.page.evaluate(async count => {
      for (let frame = 0; frame < count; frame++) {
        await new Promise<void>(resolve => {
          const observer = new IntersectionObserver(() => {
            observer.disconnect()
            resolve()
          })
          observer.observe(document.body)
        })
      }
    }, count)
  }

  /** Starting with the next page, records every layout shift and focus change. */
  async watchShifts() {
    await this.page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number
          sources: { node: Node | null }[]
        })[]) {
          const moved = entry.sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')
          seen.push(`shift of ${entry.value} at ${entry.startTime}: ${moved}`)
        }
      }).observe({ type: 'layout-shift', buffered: true })
      addEventListener('focusin', ({ target }) => seen.push(`focus on ${(target as Element).outerHTML.slice(0, 60)}`))
    })
    return async () => {
      await this.frames()
      return this.page.evaluate(() => (window as unknown as { seen: string[] }).seen.splice(0))
    }
  }

  /** From now on, only the test advances the page's clock. Records the timers that the page sets. */
  async stopTime() {
    await this.page.evaluate(() => {
      const { setTimeout } = window
      window.timers = []
      window.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
        window.timers.push(args[1] ?? 0)
        return setTimeout(...args)
      }) as typeof setTimeout
    })
    await this.page.clock.pauseAt(new Date(Date.now() + 60_000))
  }

  /** After `stopTime`: waits until the page has handled the server's response and is about to redirect. */
  async leadHandled() {
    await expect.poll(() => this.page.evaluate(() => window.timers)).toContain(delays.thankYouRedirect)
  }

  async fillIn(contact: Partial<Contact> = {}) {
    const values: Contact = { ...margaret, ...contact }
    for (const name of contactFields) {
      if (name === 'dateOfBirth') await this.enterDate(values.dateOfBirth)
      else await this.field(name).fill(values[name] ?? '')
    }
  }

  /** Types a YYYY-MM-DD date into its boxes. */
  async enterDate(date: string) {
    const [year = '', month = '', day = ''] = date.split('-')
    await this.dateBox('month').fill(month)
    await this.dateBox('day').fill(day)
    await this.dateBox('year').fill(year)
  }

  async submit() {
    await this.submitButton.click()
    // Move the pointer away, like a lifted finger: hovering over a toast keeps it open.
    await this.page.mouse.move(0, 0)
  }

  /** Parts of the form that the toast covers. */
  async coveredByToast(selector: string) {
    return this.page.evaluate(selector => {
      const toast = document.querySelector('[aria-live] > [role=group]')?.getBoundingClientRect()
      if (!toast) return ['no toast']
      // Screen-reader text is one pixel wide.
      return [...document.querySelectorAll(selector)]
        .map(part => ({ part, box: part.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.top < toast.bottom && box.bottom > toast.top)
        .filter(({ box }) => box.left < toast.right && box.right > toast.left)
        .map(({ part }) => part.outerHTML.slice(0, 100))
    }, selector)
  }

  /** The draft in the tab's session storage. */
  async draft() {
    return this.page.evaluate(() => sessionStorage.getItem('questionnaire-draft') ?? '')
  }

  async draftAnswers() {
    return JSON.parse((await this.draft()) || '{}').answers
  }

  toast(title: string) {
    return this.page.getByRole('region', { name: this.words.toasts.regionLabel }).getByText(title)
  }
}

/** Console messages and requests to other hosts. A test fails if any of them haven't been allowed by the time it ends. */
interface Watched {
  readonly seen: readonly string[]
  allow(...patterns: readonly RegExp[]): void
}

/** The browser's own report of a failed request. */
export const FAILED_REQUEST = /^Failed to load resource: /

/** The 404 page's console message, and the browser's report of the status. */
export const NOT_FOUND = new RegExp(
  `${startingWith(notFound.consoleNote).source} |^Página no encontrada: |^Failed to load resource: .* 404 `,
)

interface Fixtures {
  /** The folder with the built site. */
  built: string
  /** Whether leads go to the app's own store instead of a fake webhook. */
  ownStore: boolean
  site: SiteServer
  visitor: Visitor
  watched: Watched
}

export const test = base.extend<Fixtures>({
  built: [BUILT, { option: true }],
  ownStore: [false, { option: true }],
  site: async ({ built, ownStore }, use) => {
    const site = await startSite({ built, ownStore })
    await use(site)
    await site.close()
  },
  // An afterEach in this module would apply only to the first file that imports it.
  watched: [
    async ({ page, site }, use) => {
      const seen: string[] = []
      const allowed: RegExp[] = []
      page.on('request', request => {
        if (!request.url().startsWith(site.url)) seen.push(request.url())
      })
      page.on('console', message => seen.push(message.text()))
      page.on('pageerror', error => seen.push(error.message))
      await use({ seen, allow: (...patterns) => void allowed.push(...patterns) })
      expect(seen.filter(text => !allowed.some(pattern => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],
  visitor: async ({ page, site }, use) => use(new Visitor(page, site)),
})
