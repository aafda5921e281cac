/** Density, print, folding, and what each role sees in the desk. */
import { expect, firstId, openPage, test } from './desk-fixture.ts'

test('the list has one line per lead at 1920 and 768 px, and four leads on the first screen at 360 px; printed, it has the filters and whole times', async ({
  view: page,
  open,
}) => {
  const rows = page.locator('tbody tr')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open('/leads')
  expect((await page.getByRole('table', { name: 'Leads' }).boundingBox())?.width).toBeGreaterThan(1800)
  const heights = await rows.evaluateAll(all => all.map(row => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(45)
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(rows.first()).toHaveCSS('display', 'table-row')
  expect(await rows.first().evaluate(row => row.clientHeight)).toBeLessThan(45)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect
    .poll(() => rows.evaluateAll(all => all.filter(row => row.getBoundingClientRect().bottom < 740).length))
    .toBeGreaterThanOrEqual(4)

  await page.setViewportSize({ width: 1280, height: 800 })
  await open('/leads?state=held&period=30d')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('On hold · Last 30 days').filter({ visible: true })).toBeVisible()
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
  const certificate = page.getByText(/certificate/i).first()
  await expect(certificate).toBeHidden()
  await page.getByRole('heading', { name: 'Consent' }).click()
  await expect(certificate).toBeVisible()
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

test('the header is one row, with the pages in a menu on a phone; at 200% text, it leaves room for the page; the columns of the campaign tables line up', async ({
  view: page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/setup')
  const height = async () => (await page.getByRole('banner').boundingBox())?.height
  expect(await height()).toBeLessThan(60)
  await page.getByRole('button', { name: 'Menu. Current page: Setup' }).click()
  await expect(page.getByRole('link', { name: 'Setup' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Campaigns' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Campaigns')
  await expect(page.getByRole('link', { name: 'Setup' })).toBeHidden()
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  expect(await height()).toBeLessThan(120)
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  await page.setViewportSize({ width: 768, height: 1024 })
  expect(await height()).toBeLessThan(60)
  for (const name of ['Campaign figures', 'Page figures']) await expect(page.getByRole('table', { name })).toBeVisible()
  const lefts = (name: string) =>
    page
      .getByRole('table', { name })
      .locator('thead th')
      .evaluateAll(cells => cells.map(cell => Math.round(cell.getBoundingClientRect().left)))
  expect(await lefts('Campaign figures')).toEqual(await lefts('Page figures'))
  const cut = await page
    .locator('thead th')
    .evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent))
  expect(cut, 'headings that run into the next').toEqual([])
})

test('only editors have Setup, actions, and exports; viewers see the lead, and agents can also add to the do-not-call list', async ({
  view: page,
  open,
  signIn,
  desk,
}) => {
  await open('/')
  await page.getByRole('link', { name: 'Setup' }).click()
  await expect(page.getByRole('heading', { name: 'Launch checklist' })).toBeVisible()
  await expect(page.getByText('Office time')).toBeVisible()
  // Names of files and settings are for people with a terminal.
  await expect(page.getByText(/\b[A-Z]+_[A-Z_]+\b|\w\/\w+\.\w+|npm run/).filter({ visible: true })).toHaveCount(0)

  await desk.store.addToDoNotCall({ contacts: [{ phone: '9175550199' }], by: 'Ana Ruiz' })
  const viewer = await signIn('Lou Looker', 'viewer')
  const agent = await signIn('Cal Caller', 'agent')
  for (const [person, label, canAdd] of [
    [viewer, 'Search', 0],
    [agent, 'Search or add', 1],
  ] as const) {
    await openPage(person, '/leads/do-not-call')
    await expect(person.getByText(/^Added · .* by Ana Ruiz$/)).toBeVisible()
    await expect(person.getByRole('main').getByRole('button')).toHaveCount(0)
    await person.getByLabel(label, { exact: true }).fill('917 555 0198')
    await expect(person.getByText('Not on the list')).toBeVisible()
    await expect(person.getByRole('button', { name: /^Add \(917\)/ })).toHaveCount(canAdd)
  }
  await expect(agent.getByRole('link', { name: 'Setup' })).toHaveCount(0)
  await agent.goto('/setup')
  await expect(agent.getByText('Ask the person who invited you for editor access.')).toBeVisible()
  await expect(agent.getByRole('button', { name: 'Try again' })).toHaveCount(0)

  await openPage(viewer, '/leads?state=held')
  await expect(viewer.getByRole('checkbox')).toHaveCount(0)
  await expect(viewer.getByRole('button', { name: /^(Bulk actions|Export)/ })).toHaveCount(0)
  await viewer.locator('[data-lead]').first().click()
  await expect(viewer.locator('a[href^="tel:"]')).toBeVisible()
  await expect(viewer.getByText('An editor needs to review it.')).toBeVisible()
  for (const missing of [viewer.locator('[data-actions]').getByRole('button'), viewer.getByRole('textbox')])
    await expect(missing).toHaveCount(0)
  await viewer.getByRole('link', { name: 'Health' }).click()
  await expect(viewer.getByRole('heading', { name: 'Deliveries' })).toBeVisible()
  await expect(viewer.getByRole('main').getByRole('button')).toHaveCount(0)
})

test.describe('with the call list, but no CRM', () => {
  test.use({ deskOptions: { callList: true, crm: false } })
  test('nothing is queued, delivered, or resent, and people dial only from the call’s card', async ({
    view: page,
    open,
    signIn,
    desk,
  }) => {
    await open('/leads')
    await expect(page.getByText('Queued')).toHaveCount(0)
    await page.getByText('Filters').click()
    await expect(page.getByLabel('Received')).toBeVisible()
    await expect(page.getByLabel('Delivery status')).toHaveCount(0)
    await page.getByRole('button', { name: /^Bulk actions/ }).click()
    await expect(page.getByRole('button', { name: 'Approve…' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Resend…' })).toHaveCount(0)
    await open(`/leads/${await firstId(desk, { state: 'held' })}`)
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect(page.getByText('Your team can call this person. This can’t be undone.')).toBeVisible()
    await open(`/leads/${await firstId(desk, { delivery: 'dead' })}`)
    await expect(page.getByRole('button', { name: 'Do not call' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Resend' })).toHaveCount(0)
    await open('/leads?delivery=dead')
    await expect(page.getByRole('row').nth(1)).toContainText('Accepted')
    await expect(page.getByRole('row').filter({ hasText: 'Delivery failed' })).toHaveCount(0)
    await open('/campaigns')
    await expect(
      page
        .getByText(/^Received$/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible()
    await expect(page.getByText(/Delivered/)).toHaveCount(0)
    await open('/today')
    await expect(page.getByText(/on hold for review/)).toBeVisible()
    await expect(page.getByText(/deliver(?:y|ies) failed/)).toHaveCount(0)
    await open('/health')
    await expect(page.getByText('Not set up. Your team calls leads from the desk.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Pause deliveries' })).toHaveCount(0)

    const viewer = await signIn('Lou Looker', 'viewer')
    await openPage(viewer, `/leads/${await firstId(desk, { delivery: 'delivered' })}`)
    await expect(viewer.getByRole('button', { name: 'Copy the phone number' })).toBeVisible()
    await expect(viewer.locator('a[href^="tel:"]')).toHaveCount(0)
    await viewer.keyboard.press('?')
    const help = viewer.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(help.getByRole('heading')).toHaveText(['Keyboard shortcuts', 'In the leads list'])
    await expect(help.getByText('Select or deselect the lead')).toHaveCount(0)
    // A repeat is called from the first lead.
    const agent = await signIn('Cal Caller', 'agent')
    await openPage(agent, `/leads/${await firstId(desk, { state: 'repeat' })}`)
    await expect(agent.getByRole('button', { name: 'Copy the phone number' })).toHaveCount(1)
    await expect(agent.locator('a[href^="tel:"]')).toHaveCount(0)
  })
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
