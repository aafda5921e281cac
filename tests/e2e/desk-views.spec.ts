/**
 * Every view in the desk, with a month of demo data: in light and dark, on a phone and on a desktop, by keyboard, and
 * with names that could break the layout.
 */
import type { Page } from '@playwright/test'
import type { DeskServer } from '../support/desk-server.ts'
import { capture, expect, firstId, test } from './desk-fixture.ts'
import { brokenWords, expectNoViolations } from './page-checks.ts'

const PHONE = { width: 360, height: 740 }

/** Nothing is wider than the screen: long content wraps or scrolls inside its own box. */
async function expectToFit(page: Page) {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide, page.url()).toBeLessThanOrEqual(0)
}

/** Ends the fade between light and dark, so axe checks the final colors. In a folded part of the page, it would never end. */
async function setDisplay(page: Page, colorScheme: 'light' | 'dark', width: 360 | 1280) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
}

const lead = async (desk: DeskServer, filter: Parameters<typeof firstId>[1]) => `/leads/${await firstId(desk, filter)}`

const views: Readonly<Record<string, (desk: DeskServer) => string | Promise<string>>> = {
  Today: () => '/',
  'the list of leads': () => '/leads?state=held',
  'an empty list': () => '/leads?state=erased&delivery=dead',
  'a lead on hold': desk => lead(desk, { state: 'held' }),
  'a lead whose delivery failed': desk => lead(desk, { delivery: 'dead' }),
  'an erased lead': desk => lead(desk, { state: 'erased' }),
  'the do-not-call list': () => '/leads/do-not-call',
  Campaigns: () => '/campaigns',
  Health: () => '/health',
  People: () => '/people',
  Setup: () => '/setup',
  'the account page': () => '/you',
  'the first day': () => '/first-day',
}

// Colors don't depend on width, and layout doesn't depend on colors, so a light phone and a dark desktop cover everything.
test('every view is accessible and fits: phone, desktop, light, dark, and before signing in', async ({
  view: page,
  open,
  desk,
}) => {
  for (const [name, pathIn] of Object.entries(views)) {
    await test.step(name, async () => {
      await setDisplay(page, 'light', 360)
      await open(await pathIn(desk))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectToFit(page)
      await expectNoViolations(page)
      await setDisplay(page, 'dark', 1280)
      await expectToFit(page)
      await expectNoViolations(page)
    })
  }
  await test.step('the chosen theme overrides the system theme', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await open('/you')
    const dark = await background()
    await page.getByLabel('Theme').selectOption('Light')
    await expect.poll(background).not.toBe(dark)
    await open('/')
    expect(await background()).not.toBe(dark)
  })
  await page.context().clearCookies()
  await page.goto('/leads')
  await expect(page.getByRole('button', { name: 'Sign in with passkey' })).toBeVisible()
  await expectNoViolations(page)
})

test('names with code, emoji, formulas, right-to-left text, or 10,000 letters are shown as text', async ({
  view: page,
  open,
  desk,
}) => {
  await page.setViewportSize(PHONE)
  const names = new Map<string, string>()
  for (const name of [
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    'M'.repeat(10_000),
    '\u202Eמרים אבנעזרא\u202E',
    '👩‍🦽👨‍👩‍👧‍👦🇺🇸',
    '=HYPERLINK("http://example.com")',
  ]) {
    // The same text in every other field that a visitor controls.
    const id = await capture(desk, 'somebody', {
      contact: { firstName: name, lastName: name },
      page: `/${name.slice(0, 150)}`,
      campaign: { utm_source: name.slice(0, 500), utm_campaign: name.slice(0, 500) },
      userAgent: name.slice(0, 300),
    })
    names.set(id, name)
  }
  for (const path of ['/', ...[...names.keys()].map(id => `/leads/${id}`), '/leads']) {
    await open(path)
    await expectToFit(page)
    await expect(page.locator('main script, main img')).toHaveCount(0)
  }
  // A name is shown without characters that turn its neighbors around.
  for (const [id, name] of names) {
    const shown = name.replaceAll('\u202E', '').slice(0, 40)
    await expect(page.locator(`[data-lead="${id}"]`)).toContainText(shown)
  }
})

/** Checks at 200% text size that short words don't break across lines and short text isn't cut off. */
async function expectReadable(page: Page) {
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await expectToFit(page)
  const shortWords = /(?<![^\s(])[\p{L}’]{2,10}(?=[.,:;)]?(\s|$))/u
  expect(await brokenWords(page.locator('body'), shortWords), page.url()).toEqual([])
  const cutOff = await page
    .locator('main [class*="line-clamp"]')
    .evaluateAll(elements =>
      elements
        .filter(
          ({ textContent, scrollHeight, clientHeight }) => textContent.length <= 60 && scrollHeight > clientHeight + 1,
        )
        .map(({ textContent }) => textContent),
    )
  expect(cutOff, page.url()).toEqual([])
}

test('200% text on a phone: no broken words, nothing cut off, no horizontal scrolling', async ({
  view: page,
  open,
  desk,
}) => {
  await page.setViewportSize(PHONE)
  const typical = `/leads/${await capture(desk, 'Otis', { contact: { lastName: 'Merriweather' } })}`
  for (const path of [
    '/',
    await lead(desk, { state: 'held' }),
    typical,
    '/campaigns',
    '/health',
    '/setup',
    '/you',
    '/first-day',
    '/leads/do-not-call',
    '/leads?state=held',
  ]) {
    await open(path)
    await expectReadable(page)
  }
  // The bulk actions leave room to select more leads.
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  for (const index of [0, 1, 2]) await boxes.nth(index).check()
  await page.getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
  await expectReadable(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectReadable(page)
})

test('phone: the bulk menu and pause notice fit, “Select all shown” works, and the selection bar doesn’t cover any leads', async ({
  view: page,
  open,
  desk,
}) => {
  await page.setViewportSize(PHONE)
  await desk.store.pauseDeliveries({ reason: '', by: 'Lou' })
  await open('/leads')
  await expect(page.getByText(/^Deliveries are paused/)).toBeVisible()
  await expectToFit(page)
  await page.getByRole('button', { name: /^Bulk actions/ }).click()
  await expect(page.getByRole('button', { name: 'Resend…' })).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  const all = page.getByRole('checkbox', { name: 'Select all shown' })
  await expect(page.getByText('Select all shown')).toBeInViewport()
  // No invisible element between the two takes focus.
  await all.focus()
  await page.keyboard.press('Tab')
  const boxes = page.locator('tbody').getByRole('checkbox')
  await expect(boxes.first()).toBeFocused()
  await all.check()
  await expect(page.getByText(/^\d+ leads selected$/)).toBeVisible()
  await all.uncheck()
  await expect(page.getByText(/selected$/)).toHaveCount(0)
  // The last fully visible checkbox, where the selection bar appears.
  const bottoms = await boxes.evaluateAll(found => found.map(box => box.getBoundingClientRect().bottom))
  const last = boxes.nth(bottoms.filter(bottom => bottom < 730).length - 1)
  await last.check()
  const bar = page.getByRole('region', { name: 'Selected leads' })
  await expect
    .poll(async () => {
      const [box, over] = [await last.boundingBox(), await bar.boundingBox()]
      return box && over && box.y + box.height <= over.y
    })
    .toBe(true)
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(120)
})

test('keyboard only: search, move through the list, open, act, and keep focus', async ({ view: page, open }) => {
  await open('/leads?state=held')
  const leads = page.locator('[data-lead]')
  await expect(leads.first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  for (const [key, index] of [
    ['ArrowDown', 0],
    ['j', 1],
    ['ArrowDown', 2],
    ['ArrowUp', 1],
    ['k', 0],
  ] as const) {
    await page.keyboard.press(key)
    await expect(leads.nth(index)).toBeFocused()
  }
  const box = page.locator('tbody').getByRole('checkbox').nth(2)
  await box.focus()
  await page.keyboard.press('x')
  await expect(box).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await expect(leads.nth(3)).toBeFocused()
  // A search starts over at the first result.
  await page.getByRole('searchbox').fill('example')
  await page.getByRole('searchbox').press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(leads.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()
  const dialog = page.getByRole('dialog')
  for (const [key, name] of [
    ['a', 'Approve this lead'],
    ['?', 'Keyboard shortcuts'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await expectNoViolations(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'New note' })).toBeFocused()
  const more = page.getByRole('button', { name: 'More' })
  await more.press('Enter')
  await page.getByRole('button', { name: 'Erase…' }).press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  // Works from any page.
  await page.keyboard.press('/')
  await expect(page.getByRole('heading', { name: 'Leads', level: 1 })).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeFocused()
})
