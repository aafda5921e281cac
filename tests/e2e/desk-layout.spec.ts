/** Density, print, folding, and what each role sees in the desk. */
import { startDesk } from '../support/desk-server.ts'
import { expect, firstId, openContext, openPage, test } from './desk-fixture.ts'

test.describe.configure({ mode: 'default' })

test('at 1920 px, the list uses the width with one line per lead; at 360 px, four leads fit on the first screen', async ({
  view: page,
  open,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open('/leads')
  const table = page.getByRole('table', { name: 'Leads' })
  expect((await table.boundingBox())?.width).toBeGreaterThan(1800)
  const heights = await page.locator('tbody tr').evaluateAll(rows => rows.map(row => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(45)
  // On a tablet, most leads take one line, too.
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(page.locator('tbody tr').first()).toHaveCSS('display', 'table-row')
  expect(
    await page
      .locator('tbody tr')
      .first()
      .evaluate(row => row.clientHeight),
  ).toBeLessThan(45)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect
    .poll(() =>
      page.locator('tbody tr').evaluateAll(rows => rows.filter(row => row.getBoundingClientRect().bottom < 740).length),
    )
    .toBeGreaterThanOrEqual(4)
})

test('printed lists have the filters and whole times, but no checkboxes or buttons', async ({ view: page, open }) => {
  await open('/leads?state=held&period=30d')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('On hold · Last 30 days').last()).toBeVisible()
  await expect(page.getByRole('checkbox').first()).toBeHidden()
  await expect(page.getByRole('button').first()).toBeHidden()
  const time = page.locator('tbody time').first()
  expect(await time.evaluate(element => element.getClientRects().length)).toBe(1)
  await expect(time).toContainText(/\d:\d\d [AP]M/)
})

test('consent is one line until opened, views are hidden until asked for, and Erase is in a menu', async ({
  view: page,
  open,
  desk,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  const record = page.getByRole('link', { name: 'Print contact record' })
  await expect(record).toBeHidden()
  await page.getByRole('heading', { name: 'Consent' }).click()
  await expect(record).toBeVisible()
  const viewed = page.getByText('Viewed by Maria Lopez')
  await expect(viewed).toHaveCount(0)
  await page.getByRole('button', { name: /^Show views/ }).click()
  await expect(viewed.first()).toBeVisible()
  const erase = page.getByRole('button', { name: 'Erase…' })
  await expect(erase).toBeHidden()
  await page.getByRole('button', { name: 'More' }).click()
  await erase.click()
  await expect(page.getByRole('dialog', { name: 'Erase this person’s data' })).toBeVisible()
})

test('the columns of the campaign tables line up, and no heading runs into the next', async ({ view: page, open }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await open('/campaigns')
  const lefts = (name: string) =>
    page
      .getByRole('table', { name })
      .locator('thead th')
      .evaluateAll(cells => cells.map(cell => Math.round(cell.getBoundingClientRect().left)))
  expect(await lefts('Campaign figures')).toEqual(await lefts('Page figures'))
  const cut = await page
    .locator('thead th')
    .evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent))
  expect(cut).toEqual([])
})

test('the header is one row, with the pages in a menu on a phone; at 200% text, it leaves room for the page', async ({
  view: page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/setup')
  const height = async () => (await page.getByRole('banner').boundingBox())?.height
  expect(await height()).toBeLessThan(60)
  await page.getByRole('button', { name: 'Menu. Current page: Setup' }).click()
  await expect(page.getByRole('link', { name: 'Setup' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Health')
  await expect(page.getByRole('link', { name: 'Setup' })).toBeHidden()
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  expect(await height()).toBeLessThan(120)
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  await page.setViewportSize({ width: 768, height: 1024 })
  expect(await height()).toBeLessThan(60)
})

test('quick lists show counts', async ({ view: page, open }) => {
  await open('/leads')
  const lists = page.getByRole('navigation', { name: 'Lists' }).getByRole('listitem')
  await expect(lists).toHaveText(['All', 'On hold6', 'Delivery failed3', /^Queued\d+$/])
})

test('only editors have Setup, with the launch checklist and the settings', async ({ view: page, open, signIn }) => {
  await open('/')
  await page.getByRole('link', { name: 'Setup' }).click()
  await expect(page.getByRole('heading', { name: 'Launch checklist' })).toBeVisible()
  await expect(page.getByText('Office time')).toBeVisible()
  // Names of files and settings are for people with a terminal.
  await expect(page.getByText(/\b[A-Z]+_[A-Z_]+\b|\w\/\w+\.\w+|npm run/).filter({ visible: true })).toHaveCount(0)
  const caller = await signIn('Cal Caller', 'caller', {})
  await openPage(caller, '/health')
  await expect(caller.getByRole('link', { name: 'Setup' })).toHaveCount(0)
  await caller.goto('/setup')
  await expect(caller.getByText('Ask the person who invited you for editor access.')).toBeVisible()
  await expect(caller.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('without a CRM, nothing is queued, delivered, or resent', async ({ browser }) => {
  const desk = await startDesk({ callList: true, crm: false })
  const context = await openContext(browser, desk)
  const page = await context.newPage()
  await page.goto(desk.link)
  await openPage(page, '/leads')
  await expect(page.getByText('Queued')).toHaveCount(0)
  await page.getByText('Filters').click()
  await expect(page.getByLabel('Received')).toBeVisible()
  await expect(page.getByLabel('Delivery status')).toHaveCount(0)
  await page.getByRole('button', { name: /^Bulk actions/ }).click()
  await expect(page.getByRole('button', { name: 'Approve…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resend…' })).toHaveCount(0)
  await openPage(page, `/leads/${await firstId(desk, { state: 'held' })}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Your team can call this person. This can’t be undone.')).toBeVisible()
  await openPage(page, `/leads/${await firstId(desk, { delivery: 'dead' })}`)
  await expect(page.getByRole('button', { name: 'Do not call' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resend' })).toHaveCount(0)
  await openPage(page, '/leads?delivery=dead')
  await expect(page.getByRole('row').nth(1)).toContainText('Accepted')
  await expect(page.getByRole('row').filter({ hasText: 'Delivery failed' })).toHaveCount(0)
  await openPage(page, '/campaigns')
  await expect(
    page
      .getByText(/^Submitted$/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  await expect(page.getByText(/Delivered/)).toHaveCount(0)
  await openPage(page, '/today')
  await expect(page.getByText(/on hold for review/)).toBeVisible()
  await expect(page.getByText(/deliver(?:y|ies) failed/)).toHaveCount(0)
  await openPage(page, '/health')
  await expect(page.getByText('Not set up. Your team calls leads from the desk.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pause deliveries' })).toHaveCount(0)
  await context.close()
  await desk.close()
})

test('with the call list on, people dial only from the call’s card', async ({ browser }) => {
  const desk = await startDesk({ callList: true })
  const context = await openContext(browser, desk)
  await context.addCookies([await desk.signIn('Lou Looker', 'viewer')])
  const page = await context.newPage()
  await openPage(page, `/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  await expect(page.getByRole('button', { name: 'Copy the phone number' })).toBeVisible()
  await expect(page.locator('a[href^="tel:"]')).toHaveCount(0)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByRole('heading')).toHaveText(['Keyboard shortcuts', 'In the leads list'])
  await expect(help.getByText('Select or deselect the lead')).toHaveCount(0)
  // A repeat is called from the first lead.
  await context.addCookies([await desk.signIn('Cal Caller', 'caller')])
  await openPage(page, `/leads/${await firstId(desk, { state: 'repeat' })}`)
  await expect(page.getByRole('button', { name: 'Copy the phone number' })).toHaveCount(1)
  await expect(page.locator('a[href^="tel:"]')).toHaveCount(0)
  await context.close()
  await desk.close()
})

test('with the call list off, nothing about calls is visible', async ({ view: page, open, desk }) => {
  await open('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
  await page.keyboard.press('c')
  await expect(page.getByRole('link', { name: 'Calls' })).toHaveCount(0)
  await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  await expect(page.getByText('Sent to your CRM')).toBeVisible()
  for (const name of ['Call', 'What happened?', 'What they answered']) {
    await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(0)
  }
  await open('/you')
  await expect(page.getByRole('heading', { name: 'I speak' })).toHaveCount(0)
  await open('/calls')
  await expect(page.getByText('There’s no page at this address.')).toBeVisible()
})
