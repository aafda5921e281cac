/**
 * The desk as people use it, with a month of demo data: every view in light and dark on a phone and on a desktop, by
 * keyboard, and with names that would break a careless page.
 */
import type { Page } from '@playwright/test'
import type { DeskServer } from '../support/desk-server.ts'
import { expect, firstId, settled, test } from './desk-fixture.ts'
import { expectNoViolations } from './page-checks.ts'

test.describe.configure({ mode: 'default' })

const hostile = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'M'.repeat(10_000),
  '\u202Eמרים אבנעזרא\u202E',
  '👩‍🦽👨‍👩‍👧‍👦🇺🇸',
  '=HYPERLINK("http://example.com")',
]

/** Captures a lead with these names and with this text in every other field a visitor controls. */
async function capture({ store }: DeskServer, text: string, [firstName, lastName]: readonly [string, string]) {
  const [like] = await store.page({ filter: { state: 'accepted' }, order: 'newest first', limit: 1, after: null })
  if (!like) throw new Error('The demo has no lead.')
  captured++
  const { id } = await store.capture({
    contact: {
      firstName,
      lastName,
      dateOfBirth: '1960-01-01',
      email: `captured${captured}@example.org`,
      phone: `(555) 999-${String(captured).padStart(4, '0')}`,
    },
    page: `/${text.slice(0, 150)}`,
    campaign: { utm_source: text.slice(0, 500), utm_campaign: text.slice(0, 500) },
    variant: '',
    clientAddress: '203.0.113.9',
    userAgent: text.slice(0, 300),
    certificate: { kind: 'none' },
    trustedForm: 'on',
    consentVersion: like.consentVersion,
    questionnaireVersion: like.questionnaireVersion,
    holdReason: null,
    announceRepeat: false,
  })
  return id
}
let captured = 0

/** Nothing is wider than the screen: long content wraps or scrolls inside its own box. */
async function expectToFit(page: Page) {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide, page.url().replace(/.*:\d+/, '')).toBeLessThanOrEqual(0)
}

const views: readonly (readonly [name: string, path: (desk: DeskServer) => Promise<string>])[] = [
  ['Today', async () => '/'],
  ['the list of leads', async () => '/leads?state=held'],
  ['an empty list', async () => '/leads?state=erased&delivery=dead'],
  ['a lead on hold', async desk => `/leads/${await firstId(desk, { state: 'held' })}`],
  ['a lead whose delivery failed', async desk => `/leads/${await firstId(desk, { delivery: 'dead' })}`],
  ['an erased lead', async desk => `/leads/${await firstId(desk, { state: 'erased' })}`],
  ['Health', async () => '/health'],
  ['the account page', async () => '/you'],
]

/** Waits for the fade between light and dark, so that axe judges the final colors. */
async function lookAt(page: Page, colorScheme: 'light' | 'dark', width: 360 | 1280) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
}

// Colors don't depend on the width, or the layout on colors, so a light phone and a dark desktop cover everything.
for (const [name, path] of views) {
  test(`${name} is accessible and fits: phone, desktop, light, dark`, async ({ view: page, desk }) => {
    await lookAt(page, 'light', 360)
    await page.goto(desk.url + (await path(desk)))
    await settled(page)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectToFit(page)
    await expectNoViolations(page)
    await lookAt(page, 'dark', 1280)
    await expectToFit(page)
    await expectNoViolations(page)
  })
}

test('the sign-in page is accessible and shows no names', async ({ page, desk }) => {
  await page.goto(`${desk.url}/leads`)
  await expect(page.getByRole('button', { name: 'Sign in with passkey' })).toBeVisible()
  await expectNoViolations(page)
})

test('names with code, emoji, formulas, right-to-left or very long text are shown as text', async ({
  view: page,
  desk,
}) => {
  const ids: string[] = []
  for (const name of hostile) ids.push(await capture(desk, name, [name, name]))
  await page.setViewportSize({ width: 360, height: 740 })
  for (const path of ['/', '/leads', ...ids.map(id => `/leads/${id}`)]) {
    await page.goto(desk.url + path)
    await settled(page)
    await expectToFit(page)
    await expect(page.locator('main script, main img')).toHaveCount(0)
  }
  await page.goto(`${desk.url}/leads`)
  for (const [index, id] of ids.entries()) {
    await expect(page.locator(`[data-lead="${id}"]`)).toContainText((hostile[index] ?? '').slice(0, 40))
  }
})

/** Words of ordinary length broken in the middle, and text cut off after some lines. */
const tornOrCut = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      for (const { 0: word, index } of node.data.matchAll(/(?<![^\s(])[\p{L}’]{2,10}(?=[.,:;)]?(\s|$))/gu)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word)
      }
    }
    for (const element of document.querySelectorAll<HTMLElement>('main [class*="line-clamp"]')) {
      const isUsual = element.textContent.length <= 60
      if (isUsual && element.scrollHeight > element.clientHeight + 1)
        found.push(`${element.textContent.slice(0, 40)} (cut off)`)
    }
    return found
  })

test('200% text on a phone: no broken words, nothing cut off, no sideways scrolling', async ({ view: page, desk }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const path of [
    '/',
    '/leads?state=held',
    `/leads/${await firstId(desk, { state: 'held' })}`,
    `/leads/${await capture(desk, 'usual', ['Otis', 'Merriweather'])}`,
    '/health',
    '/you',
  ]) {
    await page.goto(desk.url + path)
    await settled(page)
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await expectToFit(page)
    expect([path, await tornOrCut(page)]).toEqual([path, []])
  }
  await page.goto(`${desk.url}/leads?state=held`)
  await settled(page)
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  // The bulk actions leave room to select more.
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  for (const index of [0, 1, 2]) await boxes.nth(index).check()
  await page.getByRole('button', { name: /^Bulk actions/ }).click()
  await page.getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
  expect(await tornOrCut(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectToFit(page)
  expect(await tornOrCut(page)).toEqual([])
})

test('phone: the bulk menu fits, all leads shown can be selected, and the selection bar doesn’t cover the last one', async ({
  view: page,
  desk,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${desk.url}/leads`)
  await settled(page)
  await page.getByRole('button', { name: /^Bulk actions/ }).click()
  await expect(page.getByRole('button', { name: 'Export…' })).toBeInViewport({ ratio: 1 })
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
  const tops = await boxes.evaluateAll(found => found.map(box => box.getBoundingClientRect().bottom))
  const last = tops.filter(bottom => bottom < 730).length - 1
  await boxes.nth(last).check()
  const bar = page.getByRole('region', { name: 'Selected leads' })
  await expect
    .poll(async () => {
      const [box, over] = [await boxes.nth(last).boundingBox(), await bar.boundingBox()]
      return box && over && box.y + box.height <= over.y
    })
    .toBe(true)
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(120)
})

test('keyboard only: search, move through the list, open, act, and keep focus', async ({ view: page, desk }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${desk.url}/leads?state=held`)
  await settled(page)
  await expect(page.locator('[data-lead]').first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-lead]').first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(page.locator('[data-lead]').nth(1)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-lead]').nth(2)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.locator('[data-lead]').nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Approve this lead' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'New note' })).toBeFocused()
  await page
    .getByRole('button', { name: 'Do not call' })
    .or(page.getByRole('button', { name: 'Erase' }))
    .first()
    .focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('button:focus')).toHaveCount(1)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  // Works from any page.
  await page.keyboard.press('/')
  await expect(page.getByRole('heading', { name: 'Leads', level: 1 })).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('the chosen theme overrides the system’s, and forced colors override both', async ({ view: page, desk }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${desk.url}/you`)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const dark = await background()
  await page.getByLabel('Theme').selectOption('Light')
  expect(await background()).not.toBe(dark)
  await page.goto(desk.url)
  await settled(page)
  expect(await background()).not.toBe(dark)
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active', reducedMotion: 'reduce' })
  const colors = await page.evaluate(() => {
    const of = (element: Element | null, property: string) =>
      element ? getComputedStyle(element).getPropertyValue(property) : 'nothing'
    const probe = document.createElement('i')
    probe.style.cssText = 'color: CanvasText; background-color: Highlight; forced-color-adjust: none'
    document.body.append(probe)
    return {
      system: [of(probe, 'color'), of(probe, 'background-color')],
      shown: [
        of(document.querySelector('main [data-icon=chevron-right]'), 'stroke'),
        of(document.querySelector('main path[vector-effect]'), 'stroke'),
      ],
    }
  })
  expect(colors.shown).toEqual(colors.system)
})
