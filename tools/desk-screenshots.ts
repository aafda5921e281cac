/**
 * Takes screenshots of every view of the desk with a month of demo data, for review: `npm run desk-screenshots`. To take only
 * some, add parts of their names after `--`. `--docs` takes the screenshots in docs/ instead.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { launchOptions } from '../tests/support/chromium.ts'
import { startDesk } from '../tests/support/desk-server.ts'

const OUT = 'screenshots'
const sizes = { phone360: [360, 740], tablet768: [768, 1024], desktop1280: [1280, 800] } as const
const wanted = process.argv.slice(2).filter(word => !word.startsWith('--'))

const desk = await startDesk({ callList: true, demoCalls: true, at: Date.now() })
const browser = await chromium.launch(launchOptions())
await mkdir(OUT, { recursive: true })

const { store } = desk
const firstOf = async (filter: Parameters<typeof store.count>[0]) =>
  (await store.page({ filter, order: 'newest first', limit: 1, after: null }))[0]?.id
const held = `/leads/${await firstOf({ state: 'held' })}`
const failed = `/leads/${await firstOf({ delivery: 'dead' })}`
const delivered = `/leads/${await firstOf({ delivery: 'delivered' })}`

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

const views: Readonly<Record<string, View>> = {
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
  you: ['/you'],
  'not-found': ['/no-such-page'],
  keyboard: ['/you', click('Keyboard shortcuts')],
}

/** Views without a session. */
const signedOutViews: Readonly<Record<string, View>> = { 'sign-in': ['/'], invitation: ['/invitation#no-such-token'] }

const themes = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

const context = await browser.newContext({ reducedMotion: 'reduce' })
const signedIn = await context.newPage()
await signedIn.goto(desk.link)
const signedOut = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()

async function takeScreenshot(page: Page, [path, action]: View, fullPage: boolean): Promise<Buffer> {
  await page.goto(desk.url + path)
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

async function takeScreenshots(page: Page, chosen: Readonly<Record<string, View>>) {
  for (const [name, view] of Object.entries(chosen)) {
    for (const [theme, media] of Object.entries(themes)) {
      await page.emulateMedia(media)
      for (const [size, [width, height]] of Object.entries(sizes)) {
        await page.setViewportSize({ width, height })
        const file = `desk-${name}-${size}-${theme}`
        if (wanted.length > 0 && !wanted.some(word => file.includes(word))) continue
        await writeFile(`${OUT}/${file}.png`, await takeScreenshot(page, view, true))
      }
    }
    const large = `desk-${name}-phone360-large`
    if (wanted.length > 0 && !wanted.some(word => large.includes(word))) continue
    await page.emulateMedia(themes.light)
    await page.setViewportSize({ width: 360, height: 740 })
    const [path, action] = view
    const enlarge: Action = async one => {
      await one.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      await action?.(one)
    }
    await writeFile(`${OUT}/${large}.png`, await takeScreenshot(page, [path, enlarge], true))
  }
}

if (process.argv.includes('--docs')) {
  await signedIn.emulateMedia(themes.light)
  await signedIn.setViewportSize({ width: 1280, height: 900 })
  const pictures: Readonly<Record<string, View>> = {
    'desk-calls': ['/calls'],
    'desk-call': ['/calls', callNext],
    'desk-today': ['/today', showsCalls],
  }
  for (const [file, view] of Object.entries(pictures)) {
    await sharp(await takeScreenshot(signedIn, view, false))
      .png({ palette: true, colors: 64, effort: 10 })
      .toFile(`docs/${file}.png`)
  }
} else {
  await takeScreenshots(signedOut, signedOutViews)
  await takeScreenshots(signedIn, views)
}

await browser.close()
await desk.close()
