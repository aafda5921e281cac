/**
 * Using the desk, with a month of demo data: undo, typed confirmations, files, bulk changes, long lists, the way back, and what
 * viewers don't see.
 */
import { readFile } from 'node:fs/promises'
import type { Response } from '@playwright/test'
import type { LeadsPage } from '../../desk/browser/client.ts'
import type { DeskServer } from '../support/desk-server.ts'
import { expectNoViolations } from './axe.ts'
import { expect, firstId, settled, test } from './desk-fixture.ts'

test.describe.configure({ mode: 'default' })

const historyOf = async ({ store }: DeskServer, id: string) =>
  (await store.find(id))?.history.map(({ event }) => event) ?? []

test.beforeEach(({ view }) => view.setViewportSize({ width: 1280, height: 800 }))

test('undo works for the do-not-call list, a deleted note, and a pause', async ({ view: page, desk }) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  await page.goto(`${desk.url}/leads/${id}`)
  await page.getByRole('button', { name: 'Do not call' }).click()
  await page.getByRole('button', { name: 'Add to list' }).click()
  await expect(page.getByText('this phone number is on the do-not-call list')).toBeVisible()
  // The history tells which of the two, and that it was more than a look.
  for (const contact of ['Phone number', 'Email']) {
    const told = page.getByRole('listitem').filter({ hasText: `${contact} added to the do-not-call list` })
    await expect(told).toHaveCount(1)
    await expect(told.locator('[data-icon=phone-off]')).toBeVisible()
  }
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('this phone number is on the do-not-call list')).toHaveCount(0)
  expect(await historyOf(desk, id)).toEqual(expect.arrayContaining(['suppressed', 'unsuppressed']))

  await page.getByLabel('New note').fill('Called, no answer.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('button', { name: /^Delete the note by Maria Lopez/ }).click()
  await expect(page.getByRole('listitem').getByText('Called, no answer.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('listitem').getByText('Called, no answer.')).toBeVisible()

  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByRole('button', { name: 'Pause deliveries' }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Resume deliveries' })).toBeVisible()
  expect(await desk.store.deliveryPause()).toMatchObject({ by: 'Maria Lopez' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Pause deliveries' })).toBeVisible()
  expect(await desk.store.deliveryPause()).toBeNull()
})

test('every view says when deliveries are paused', async ({ view: page, desk }) => {
  const line = page.getByText(
    'Deliveries are paused. New leads are still accepted and will be sent when deliveries resume.',
  )
  await page.goto(`${desk.url}/leads`)
  await settled(page)
  await expect(line).toHaveCount(0)
  // By somebody else: the page learns of it by itself.
  await desk.store.pauseDeliveries({ reason: '', by: 'Lou' })
  await expect(line).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  for (const path of ['/', '/leads', `/leads/${await firstId(desk, { delivery: 'dead' })}`, '/health', '/you']) {
    await page.goto(desk.url + path)
    await settled(page)
    await expect(page.getByRole('status').filter({ has: line })).toBeVisible()
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([path, tooWide]).toEqual([path, 0])
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoViolations(page)
  }
  await page.getByRole('link', { name: 'Go to Health' }).click()
  // Leads that did not arrive are no alert, and not nothing either.
  await expect(page.getByText('No active alerts.')).toBeVisible()
  await expect(page.getByText('Nothing is wrong')).toHaveCount(0)
  await page.getByRole('button', { name: 'Resume deliveries' }).click()
  await expect(line).toHaveCount(0)
})

test('erasing requires typing the last name', async ({ view: page, desk }) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  const { firstName, lastName } = (await desk.store.find(id)) ?? {}
  await page.goto(`${desk.url}/leads/${id}`)
  await page.getByRole('button', { name: 'Erase…' }).click()
  for (const typed of ['', `${firstName}`]) {
    await page.getByLabel(`Type ${lastName} to erase`).fill(typed)
    await page.getByRole('button', { name: 'Erase permanently' }).click()
    await expect(page.getByText('That doesn’t match the last name.')).toBeVisible()
  }
  await page.keyboard.press('Escape')
  expect(await desk.store.find(id)).toMatchObject({ state: 'accepted', lastName })
})

test('a long list loads on scroll and keeps few rows in the document', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads`)
  await settled(page)
  const rows = page.locator('[data-lead]')
  const shown = page.getByText(/^[\d,]+ leads, \d+ shown$/)
  const scrolled = async () => {
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    return Number(/(\d+) shown/.exec((await shown.textContent()) ?? '')?.[1])
  }
  await expect.poll(scrolled, { intervals: [50], timeout: 40_000 }).toBeGreaterThanOrEqual(300)
  await expect.poll(() => rows.count()).toBeLessThanOrEqual(250)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect(rows.first()).toBeInViewport()
})

test('a list shows its count and asks for it only when needed', async ({ view: page, desk }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  const all = await desk.store.count({})
  await page.goto(`${desk.url}/leads`)
  await expect(page.getByRole('status').filter({ hasText: `${all.toLocaleString('en-US')} leads` })).toBeVisible()
  expect(asked.filter(path => path === '/api/leads/count').length).toBeGreaterThan(0)
  asked.length = 0
  await page.getByRole('searchbox').fill('example')
  await expect(page.getByRole('status').filter({ hasText: /^[\d,]+ leads/ })).toBeVisible()
  await page.getByRole('searchbox').fill('nobody-at-all')
  await expect(page.getByRole('status').filter({ hasText: /^0 leads$/ })).toBeVisible()
  expect(asked).toContain('/api/leads/search')
  expect(asked).not.toContain('/api/leads/count')
})

test('a bookmark restores filters, and a lead links back to its list', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?state=held&period=30d&sort=oldest`)
  await settled(page)
  await expect(page.getByLabel('Status')).toHaveValue('=held')
  await expect(page.getByLabel('Received')).toHaveValue('30d')
  await expect(page.getByLabel('Sort by')).toHaveValue('oldest')
  await expect(page.getByText(/^6 leads$/)).toBeVisible()
  // A last name may be that of two.
  const { email } = (await desk.store.find(await firstId(desk, { state: 'held' }))) ?? {}
  await page.getByRole('searchbox').fill(`${email}`)
  await expect(page.getByText(/^1 lead$/)).toBeVisible()
  await page.locator('[data-lead]').click()
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue(`${email}`)
  await expect(page.getByLabel('Sort by')).toHaveValue('oldest')
  await expect(page.locator('[data-lead]')).toHaveCount(1)
})

test('clearing the filters keeps the search, the order, and focus', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?state=held&period=30d&sort=oldest`)
  await settled(page)
  await page.getByRole('searchbox').fill('example')
  await expect(page.getByText(/^[1-6] leads$/)).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Hide filters', exact: true })).toBeFocused()
  await expect(page.getByRole('searchbox')).toHaveValue('example')
  expect(new URL(page.url()).search).toBe('?sort=oldest')
  await expect(page.getByLabel('Status')).toHaveValue('')
})

test('“All” is highlighted only without filters, and clears them', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?period=30d&sort=oldest`)
  await settled(page)
  const lists = page.getByRole('navigation', { name: 'Lists' })
  const lit = lists.locator('[aria-current]')
  await expect(lit).toHaveCount(0)
  await lists.getByRole('link', { name: 'On hold' }).click()
  await expect(lit).toHaveText('On hold')
  expect(new URL(page.url()).search).toBe('?state=held&period=30d&sort=oldest')
  await lists.getByRole('link', { name: 'All' }).click()
  await expect(lit).toHaveText('All')
  expect(new URL(page.url()).search).toBe('?sort=oldest')
})

test('an empty list of failed deliveries is good news and doesn’t shift the page', async ({ view, desk }) => {
  const page = await view.context().newPage()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${desk.url}/leads?delivery=dead`)
  await expect(page.getByRole('button', { name: /^Bulk actions/ })).toBeVisible()
  const top = async () => (await page.getByRole('searchbox').boundingBox())?.y
  const before = await top()
  await page.route('**/api/leads/search', route =>
    route.fulfill({ json: { leads: [], next: null, count: { total: 0, exact: true } } satisfies LeadsPage }),
  )
  await page.reload()
  await expect(page.getByText('No failed deliveries')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Bulk actions/ })).toHaveCount(0)
  expect(await top()).toBe(before)
  await page.close()
})

test('going back to a long list restores the position and focus', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?period=30d`)
  await settled(page)
  const leads = page.locator('[data-lead]')
  const next = await leads.nth(31).getAttribute('data-lead')
  await leads.nth(30).click()
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(leads.nth(30)).toBeInViewport()
  await page.keyboard.press('j')
  await expect(page.locator(`[data-lead="${next}"]`)).toBeFocused()
})

test('typing a year digit by digit queries only that year', async ({ view: page, desk }) => {
  const refused: string[] = []
  const listen = (answer: Response) => answer.status() >= 400 && refused.push(answer.url())
  page.on('response', listen)
  await page.goto(`${desk.url}/leads`)
  await settled(page)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Received').selectOption('dates')
  await page.getByLabel('From', { exact: true }).focus()
  const asked = page.waitForResponse(answer => answer.url().endsWith('/api/leads/search'))
  await page.keyboard.type('01312020')
  await asked
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2020-01-31')
  expect(new URL(page.url()).search).toBe('?from=2020-01-31')
  expect(refused).toEqual([])
  page.off('response', listen)
})

test('a date range starts from the current period and says when it is reversed', async ({ view: page, desk }) => {
  const from = page.getByLabel('From', { exact: true })
  const to = page.getByLabel('To', { exact: true })
  await page.goto(`${desk.url}/leads?period=yesterday`)
  await page.getByLabel('Received').selectOption('dates')
  await expect(page.getByLabel('Received')).toHaveValue('dates')
  await expect(from).not.toHaveValue('')
  await expect(to).toHaveValue(await from.inputValue())
  expect(new URL(page.url()).search).toBe(`?from=${await from.inputValue()}&to=${await to.inputValue()}`)
  await from.fill('2026-10-20')
  await expect(page.getByText('This is before the start date')).toHaveCount(0)
  await to.fill('2026-10-19')
  await expect(page.getByText('This is before the start date')).toBeVisible()
})

test('an export contains what the filter finds and is recorded once', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?state=held`)
  await page.getByRole('button', { name: 'Bulk actions (6)' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export 6 leads' }).click()
  const file = await (await downloading).path()
  await expect(page.getByText('Saved to your downloads: 6 leads.')).toBeVisible()
  expect((await readFile(file, 'utf8')).trimEnd().split('\r\n')).toHaveLength(7)
  expect(await desk.store.recentExports(1)).toMatchObject([{ by: 'Maria Lopez', filter: '{"state":"held"}', leads: 6 }])
})

test('the table of days hides the chart’s legend', async ({ view: page, desk }) => {
  await page.goto(desk.url)
  await settled(page)
  await expect(page.getByText('7-day average.')).toBeVisible()
  await page.getByRole('button', { name: 'Show table' }).click()
  await expect(page.getByRole('region', { name: 'Leads by day' })).toBeVisible()
  await expect(page.getByText('7-day average.')).toHaveCount(0)
})

test('viewers see the lead, but no actions', async ({ browser, desk }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([await desk.signIn('Lou Looker', 'viewer')])
  const page = await context.newPage()
  await page.goto(`${desk.url}/leads?state=held`)
  await settled(page)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Bulk actions/ })).toHaveCount(0)
  await page.locator('[data-lead]').first().click()
  await expect(page.locator('a[href^="tel:"]')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Actions' })).toHaveCount(0)
  await expect(page.getByText('An editor needs to review it.')).toBeVisible()
  await expect(page.getByText(/Approve it/)).toHaveCount(0)
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await context.close()
})

test('a bulk approval is counted before and after', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?state=rejected`)
  await page.getByRole('button', { name: 'Bulk actions (2)' }).click()
  await page.getByRole('menuitem', { name: 'Approve…' }).click()
  await expect(page.getByText('2 leads will be sent to your webhook.')).toBeVisible()
  await page.getByRole('button', { name: 'Approve 2' }).click()
  await expect(page.getByText('2 leads approved.')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/^0 leads$/)).toBeVisible()
  expect(await desk.store.count({ state: 'rejected' })).toBe(0)
})

test('a list that couldn’t be refreshed says that it may be out of date', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?delivery=delivered`)
  await settled(page)
  // In the middle of something: the list does not refresh itself.
  await page.locator('tbody').getByRole('checkbox').first().check()
  await desk.store.reject({ ids: [await firstId(desk, { state: 'held' })], reason: 'a test', by: 'somebody else' })
  const search = '**/api/leads/search'
  await page.route(search, route =>
    route.fulfill({ status: 500, json: { error: 'failed', message: 'The store is busy.' } }),
  )
  await page.getByRole('button', { name: 'List has changed. Refresh' }).click()
  await expect(page.getByRole('alert')).toContainText('it may be out of date. The store is busy.')
  await expect(page.locator('[data-lead]').first()).toBeVisible()
  await page.unroute(search)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})
