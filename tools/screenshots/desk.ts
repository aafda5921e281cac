/** Every view of the desk, with a month of demo data. */
import { writeFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { startDesk } from '../../tests/support/desk-server.ts'

const sizes = {
  phone360: [360, 740],
  tablet768: [768, 1024],
  desktop1280: [1280, 800],
  desktop1920: [1920, 1080],
} as const

type Desk = Awaited<ReturnType<typeof startDesk>>
type Action = (page: Page) => Promise<unknown>
/** The path, and what to do there before taking the screenshot. */
type View = readonly [path: string, action?: Action]
const click = (...names: readonly (string | RegExp)[]): Action => {
  return async page => {
    for (const name of names) {
      const named = { name, exact: typeof name === 'string' }
      await page.getByRole('button', named).last().click()
    }
  }
}
const failRequests: Action = async page => {
  await page.route('**/api/**', route =>
    route.request().url().endsWith('/api/session') ? route.continue() : route.abort(),
  )
  await page.reload()
  await page.getByRole('alert').first().waitFor()
}

const showsCalls: Action = page => page.getByRole('heading', { name: 'By person' }).waitFor()
const callNext: Action = async page => {
  await page.getByRole('button', { name: /^Call next/ }).click()
  await page.getByRole('heading', { name: 'What happened?' }).waitFor()
}

const viewsOf = async (store: Desk['store']): Promise<Readonly<Record<string, View>>> => {
  const firstOf = async (filter: Parameters<typeof store.count>[0]) =>
    (await store.page({ filter, order: 'newest first', limit: 1, after: null }))[0]?.id
  const held = `/leads/${await firstOf({ state: 'held' })}`
  const failed = `/leads/${await firstOf({ delivery: 'dead' })}`
  const delivered = `/leads/${await firstOf({ delivery: 'delivered' })}`
  return {
    calls: ['/calls'],
    'calls-later': ['/calls', page => page.locator('summary').last().click()],
    call: ['/calls', callNext],
    'call-back': [
      '/calls',
      async page => {
        await callNext(page)
        await page.keyboard.press('3')
      },
    ],
    today: ['/today', showsCalls],
    'today-30d': ['/today?period=30d', showsCalls],
    campaigns: ['/campaigns'],
    'campaigns-costs': ['/campaigns', click('Enter ad spend…')],
    'today-table': ['/today', click('Show table')],
    'today-failed': ['/today', failRequests],
    'today-loading': [
      '/today',
      async page => {
        await page.route('**/api/today', () => {})
        await page.reload()
        await page.getByRole('heading', { level: 1 }).waitFor()
      },
    ],
    'today-not-connected': [
      '/today',
      async page => {
        await page.route('**/api/pulse', route => route.abort())
        await page.reload()
        await page.getByText('Not connected').waitFor()
      },
    ],
    leads: ['/leads'],
    'leads-held': ['/leads?state=held'],
    'leads-none': ['/leads?state=erased&delivery=dead'],
    'leads-failed': ['/leads', failRequests],
    'leads-menu': ['/leads?state=held', click(/^Bulk actions/)],
    'leads-export': ['/leads', click('Export…')],
    'leads-reject-all': ['/leads?period=7d', click(/^Bulk actions/, 'Reject…')],
    'leads-resend-all': ['/leads?delivery=dead', click(/^Bulk actions/, 'Resend…')],
    'leads-selection': [
      '/leads?state=held',
      async page => {
        for (const box of (await page.getByRole('checkbox', { name: /^Select (?!all)/ }).all()).slice(0, 3))
          await box.check()
      },
    ],
    'lead-held': [held],
    'lead-delivered': [delivered],
    'lead-delivery-failed': [failed],
    'lead-repeat': [`/leads/${await firstOf({ state: 'repeat' })}`],
    'lead-rejected': [`/leads/${await firstOf({ state: 'rejected' })}`],
    'lead-erased': [`/leads/${await firstOf({ state: 'erased' })}`],
    'lead-waiting': [`/leads/${await firstOf({ delivery: 'pending' })}`],
    'lead-missing': ['/leads/00000000-0000-0000-0000-000000000000'],
    'lead-reject': [held, click('Reject', 'Reject')],
    'lead-approve': [held, click('Approve')],
    'lead-resend': [delivered, click('Resend')],
    'lead-do-not-call': [delivered, click('Do not call')],
    'lead-erase': [delivered, click('More', 'Erase…', 'Erase permanently')],
    'do-not-call': ['/leads/do-not-call'],
    health: ['/health'],
    'health-pause': ['/health', click('Pause deliveries')],
    'health-paused': [
      '/health',
      async page => {
        await click('Pause deliveries', 'Pause')(page)
        await page.getByText('Go to Health').waitFor()
      },
    ],
    setup: ['/setup'],
    people: ['/people'],
    you: ['/you'],
    'not-found': ['/no-such-page'],
    keyboard: ['/you', click('Keyboard shortcuts')],
  }
}

/** Views without a session. */
const signedOutViews: Readonly<Record<string, View>> = { 'sign-in': ['/'], invitation: ['/invitation#no-such-token'] }

const themes = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

async function takeScreenshot(
  { url, store }: Desk,
  page: Page,
  [path, action]: View,
  fullPage: boolean,
): Promise<Buffer> {
  await page.goto(url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'detached' })
  await action?.(page)
  await page.evaluate(() => document.fonts.ready)
  const taken = await page.screenshot({ fullPage: fullPage && (await page.getByRole('dialog').count()) === 0 })
  await page.unrouteAll()
  await store.resumeDeliveries({ by: 'bob@desk' })
  return taken
}

type FileFor = (name: string) => string | null

async function takeScreenshots(desk: Desk, page: Page, chosen: Readonly<Record<string, View>>, fileFor: FileFor) {
  for (const [name, view] of Object.entries(chosen)) {
    for (const [theme, media] of Object.entries(themes)) {
      await page.emulateMedia(media)
      for (const [size, [width, height]] of Object.entries(sizes)) {
        await page.setViewportSize({ width, height })
        const file = fileFor(`desk-${name}-${size}-${theme}`)
        if (file !== null) await writeFile(file, await takeScreenshot(desk, page, view, true))
      }
    }
    const large = fileFor(`desk-${name}-phone360-large`)
    if (large === null) continue
    await page.emulateMedia(themes.light)
    await page.setViewportSize({ width: 360, height: 740 })
    const [path, action] = view
    const enlarge: Action = async one => {
      await one.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      await action?.(one)
    }
    await writeFile(large, await takeScreenshot(desk, page, [path, enlarge], true))
  }
}

const docsViews: Readonly<Record<string, View>> = {
  'desk-calls': ['/calls'],
  'desk-call': ['/calls', callNext],
  'desk-today': ['/today', showsCalls],
}

export async function takeDesk(browser: Browser, fileFor: FileFor, { forDocs = false } = {}): Promise<void> {
  const desk = await startDesk({ callList: true, demoCalls: true, at: Date.now() })
  const newPage = async () => (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  const signedIn = await newPage()
  await signedIn.goto(desk.link)
  if (forDocs) {
    await signedIn.emulateMedia(themes.light)
    await signedIn.setViewportSize({ width: 1280, height: 900 })
    for (const [file, view] of Object.entries(docsViews)) {
      await sharp(await takeScreenshot(desk, signedIn, view, false))
        .png({ palette: true, colors: 64, effort: 10 })
        .toFile(`docs/${file}.png`)
    }
  } else {
    await takeScreenshots(desk, await newPage(), signedOutViews, fileFor)
    await takeScreenshots(desk, signedIn, await viewsOf(desk.store), fileFor)
  }
  await desk.close()
}
