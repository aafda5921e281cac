/** A visitor: what a person does on the pages, and the site they visit. Journeys import `test` and `expect` from here. */

import { test as base, expect, type Page } from '@playwright/test'
import { notFound } from '../../content/errors.ts'
import { contactForm, toasts } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { type ContactField, contactFields } from '../../domain/contact-fields.ts'
import type { DatePart } from '../../domain/date-parts.ts'
import { delays } from '../../domain/delays.ts'
import type { Contact } from '../../domain/lead.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { asked } from '../support/answers.ts'
import { storedLeads as leadsIn } from '../support/lead-fixtures.ts'
import { type SiteServer, startSite } from '../support/site-server.ts'

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
  dateOfBirth: '1966-04-12',
  email: 'margaret@example.org',
  phone: '(555) 234-5678',
}

export const SUBMIT = contactForm.submit

/** For a text that goes on behind the words given. */
export const startingWith = (words: string) => new RegExp(`^${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

/** For `answerAll`: the next question comes by itself, on the browser's own clock. */
export const REAL_TIME = async () => {}

/** The two pages with the questionnaire. */
export const homes = [
  { name: 'landing', path: '/', anchor: '#qualification-form' },
  { name: 'advertorial', path: '/advertorial', anchor: '#eligibility-form' },
] as const

export class Visitor {
  readonly page: Page
  readonly site: SiteServer

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

  /** The input, or the group of a date's three boxes. */
  field(name: ContactField) {
    const { label } = contactForm.fields[name]
    return name === 'dateOfBirth' ? this.panel.getByRole('group', { name: label }) : this.panel.getByLabel(label)
  }

  dateBox(part: DatePart) {
    return this.field('dateOfBirth').getByLabel(contactForm.fields.dateOfBirth.parts[part])
  }

  /** Every input holds what `fillIn` enters for this contact. */
  async expectFilledIn(contact: Contact = margaret) {
    const [year = '', month = '', day = ''] = contact.dateOfBirth.split('-')
    for (const name of contactFields) {
      if (name !== 'dateOfBirth') await expect(this.field(name)).toHaveValue(contact[name] ?? '')
    }
    await expect(this.dateBox('month')).toHaveValue(month)
    await expect(this.dateBox('day')).toHaveValue(day)
    await expect(this.dateBox('year')).toHaveValue(year)
  }

  question(number: number) {
    return this.panel.getByRole('heading', { name: questionnaire.place(number, asked.length) })
  }

  async open(path: string) {
    // Not until every script has come: a visitor does not wait for that either, and some tests hold scripts back.
    await this.page.goto(this.site.url + path, { waitUntil: 'domcontentloaded' })
  }

  /** Turns to the panel, which brings React, and waits until it has taken over. */
  async ready() {
    await this.page.locator('[data-questionnaire] progress').dispatchEvent('mouseover')
    await this.page.waitForFunction(() => window.earlyAnswer === null)
  }

  /** Lays out what is below the fold as well, which would otherwise have no size yet. Needs `bypassCSP`. */
  async unfold(css = '') {
    return this.page.addStyleTag({ content: `*{content-visibility:visible!important}${css}` })
  }

  async answer(yes: boolean) {
    await this.button(yes ? questionnaire.yes : questionnaire.no).click()
  }

  /**
   * Answers all questions; those numbered in `wrongly` with the answer that makes the visitor ineligible.
   * The page's clock is moved over the locks unless they are to be waited out.
   */
  async answerAll(wrongly: readonly number[] = [], passLock = () => this.page.clock.runFor(delays.answerLock)) {
    for (const { number, requiredAnswer } of asked) {
      await expect(this.question(number)).toBeVisible()
      await this.answer(wrongly.includes(number) ? !requiredAnswer : requiredAnswer)
      await passLock()
    }
  }

  /** Opens the page with a clock that the journey can move, and waits for React. */
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

  /** Moves the page's clock until the page has left for another; how long that takes is the subject of a few journeys only. */
  async leftFor(path: '/thank-you' | '/decline') {
    await expect(async () => {
      await this.page.clock.runFor(delays.declineRedirect)
      expect(new URL(this.page.url()).pathname).toBe(path)
    }).toPass({ intervals: [20, 50, 100] })
  }

  /** Waits until the page has come to rest after scrolling smoothly. */
  async scrolled() {
    await this.page.evaluate(async () => {
      for (let still = 0, before = scrollY; still < 8; before = scrollY) {
        await new Promise(requestAnimationFrame)
        still = scrollY === before ? still + 1 : 0
      }
    })
  }

  /** Waits until a layout shift would have been reported. */
  async frames(count = 10) {
    await this.page.evaluate(async count => {
      for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame)
    }, count)
  }

  /** From here on only the test moves the page's clock, and the timers that the page sets are noted. */
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

  /** After `stopTime`: waits until the page has handled the receiver's answer and is about to leave. */
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

  /** Types a date, given as YYYY-MM-DD, into its boxes. */
  async enterDate(date: string) {
    const [year = '', month = '', day = ''] = date.split('-')
    await this.dateBox('month').fill(month)
    await this.dateBox('day').fill(day)
    await this.dateBox('year').fill(year)
  }

  async submit() {
    await this.submitButton.click()
    // As with a finger: no pointer is left behind that would rest on a toast and keep it open.
    await this.page.mouse.move(0, 0)
  }

  toast(title: string) {
    return this.page.getByRole('region', { name: toasts.regionLabel }).getByText(title)
  }
}

/** What the page asks for and says besides its own files. A journey fails on any of it that it has not allowed. */
interface Watched {
  readonly foreignRequests: readonly string[]
  readonly consoleMessages: readonly string[]
  /** Before or after the fact. */
  allow(what: { readonly console?: RegExp; readonly request?: RegExp }): void
}

/** The browser's own report of a request that was answered with an error or not at all. */
export const FAILED_REQUEST = /^Failed to load resource: /

/** What the page for an unknown path says, and the browser of its status. */
export const NOT_FOUND = new RegExp(`${startingWith(notFound.consoleNote).source} |^Failed to load resource: .* 404 `)

interface Fixtures {
  site: SiteServer
  visitor: Visitor
  watched: Watched
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    const site = await startSite()
    await use(site)
    await site.close()
  },
  // Judged here and not in an afterEach of this module, which would belong to the first journey file that imports it.
  watched: [
    async ({ page, site }, use) => {
      const foreignRequests: string[] = []
      const consoleMessages: string[] = []
      const allowed: { console: RegExp[]; request: RegExp[] } = { console: [], request: [] }
      page.on('request', request => {
        if (!request.url().startsWith(site.url)) foreignRequests.push(request.url())
      })
      page.on('console', message => consoleMessages.push(message.text()))
      page.on('pageerror', error => consoleMessages.push(error.message))
      await use({
        foreignRequests,
        consoleMessages,
        allow({ console, request }) {
          if (console) allowed.console.push(console)
          if (request) allowed.request.push(request)
        },
      })
      const unexpected = (seen: readonly string[], patterns: readonly RegExp[]) =>
        seen.filter(text => !patterns.some(pattern => pattern.test(text)))
      expect(unexpected(consoleMessages, allowed.console), 'the console stays silent').toEqual([])
      expect(unexpected(foreignRequests, allowed.request), 'nothing is requested from elsewhere').toEqual([])
    },
    { auto: true },
  ],
  visitor: async ({ page, site }, use) => {
    await use(new Visitor(page, site))
  },
})

/** With the app's own receiver and store behind the forms. */
export const testWithStore = test.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    const site = await startSite({ withReceiver: false })
    await use(site)
    await site.close()
  },
})

export async function storedLeads({ dataDir }: SiteServer) {
  return leadsIn(storeFile(dataDir))
}
