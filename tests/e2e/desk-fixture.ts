/** For each journey: a desk with a month of demo data, a signed-in page, and helpers to open pages. */
import { type Browser, type BrowserContextOptions, test as base, type Page } from '@playwright/test'
import type { DeskRole } from '../../domain/roles.ts'
import type { Submission } from '../../server/store/operations/leads/capture.ts'
import { type DeskOptions, type DeskServer, startDesk } from '../support/desk-server.ts'
import { submissionOf } from '../support/lead-store.ts'

export const { expect } = base

interface Fixtures {
  deskOptions: DeskOptions
  desk: DeskServer
  view: Page
  open: (path: string) => Promise<void>
  /** Opens a page for a new person, on a desktop by default. */
  signIn: (name: string, role: DeskRole, options?: BrowserContextOptions) => Promise<Page>
}

const DESKTOP = { reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } } as const

export const test = base.extend<Fixtures>({
  deskOptions: [{}, { option: true }],
  desk: async ({ deskOptions }, use) => {
    const desk = await startDesk(deskOptions)
    await use(desk)
    await desk.close()
  },
  /** A signed-in page on a desktop. */
  view: async ({ desk, browser }, use) => {
    const { context, close } = await openContext(browser, desk, DESKTOP)
    // Signs in without loading a page.
    await context.request.get(desk.link)
    await use(await context.newPage())
    await close()
  },
  open: ({ view }, use) => use(path => openPage(view, path)),
  // Open pages keep polling, so they're closed after each test.
  signIn: async ({ desk, browser }, use) => {
    const closes: (() => Promise<void>)[] = []
    await use(async (name, role, options = DESKTOP) => {
      const { context, close } = await openContext(browser, desk, options)
      closes.push(close)
      await context.addCookies([await desk.signIn(name, role)])
      return context.newPage()
    })
    for (const close of closes) await close()
  },
})

/** A browser whose clock agrees with the desk's. */
async function openContext(browser: Browser, { url, aheadMs }: DeskServer, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: url, ...options })
  const errors: string[] = []
  context.on('weberror', error => errors.push(error.error().message))
  await context.addInitScript(ahead => {
    const MachineDate = Date
    const now = () => MachineDate.now() + ahead
    globalThis.Date = new Proxy(MachineDate, {
      construct: (_, args) => Reflect.construct(MachineDate, args.length === 0 ? [now()] : args),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    })
    // Messages close after ten seconds. On a busy machine, a journey may need longer to read one, or to undo what it's about.
    const { setTimeout: setTimer } = globalThis
    const patient = (run: () => void, ms = 0) => setTimer(run, ms === 10_000 ? 1000 * ms : ms)
    globalThis.setTimeout = patient as typeof setTimeout
    // Dialing leaves the browser; in tests, nothing answers.
    document.addEventListener('click', event => {
      if ((event.target as Element).closest('a[href^="tel:"]')) event.preventDefault()
    })
  }, aheadMs)
  const close = async () => {
    await context.close()
    expect(errors, 'uncaught errors in the desk').toEqual([])
  }
  return { context, close }
}

/** Waits until the page is signed in and loaded. On the sign-in page, the checks that follow would pass trivially. */
export async function openPage(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('navigation', { name: 'Desk', exact: true })).toBeVisible()
  await expect(page.getByText(/^Loading /)).toHaveCount(0)
}

/** Captures a lead of someone with this name. */
export async function capture(
  { store }: DeskServer,
  name: string,
  { contact, ...changes }: Partial<Omit<Submission, 'contact'>> & { contact?: Partial<Submission['contact']> } = {},
): Promise<string> {
  const consentVersion = await store.saveConsentText(
    JSON.stringify({ text: 'I agree to be called.', button: 'Call me' }),
  )
  const submission = submissionOf(name, consentVersion)
  return (await store.capture({ ...submission, ...changes, contact: { ...submission.contact, ...contact } })).id
}

export async function firstId(
  { store }: DeskServer,
  filter: Parameters<DeskServer['store']['count']>[0],
): Promise<string> {
  const [lead] = await store.page({ filter, order: 'newest first', limit: 1, after: null })
  if (!lead) throw new Error(`No demo lead matches this filter: ${JSON.stringify(filter)}`)
  return lead.id
}
