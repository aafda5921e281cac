/** Tabs that stay open: overnight, many at once, and one whose session ends in the middle of an export. */
import { createCalendar } from '../../server/calendar.ts'
import { expect, firstId, settled, test } from './desk-fixture.ts'

test('a tab left open past midnight shows the new day', async ({ view, desk }) => {
  const page = await view.context().newPage()
  const { timeZone } = await (await page.request.get(`${desk.url}/api/session`)).json()
  const calendar = createCalendar(timeZone)
  const today = calendar.dateOf(Date.now())
  const tomorrow = calendar.daysAfter(today, 1)
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/leads/search')) asked.push(request.postDataJSON().filter.from)
  })
  await page.clock.install({ time: calendar.startOf(tomorrow) - 60_000 })
  await page.goto(`${desk.url}/leads?period=today`)
  await settled(page)
  expect(asked.at(-1)).toBe(today)
  await page.clock.runFor(90_000)
  await expect.poll(() => asked.at(-1)).toBe(tomorrow)
  await page.close()
})

test('a lead left open is not recorded as viewed again when it refreshes', async ({ view, desk }) => {
  const id = await firstId(desk, { state: 'held' })
  const asked: string[] = []
  view.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname === `/api/leads/${id}`) asked.push(search)
  })
  await view.goto(`${desk.url}/leads/${id}`)
  await settled(view)
  await desk.store.pauseDeliveries({ reason: '', by: 'Someone else' })
  await expect.poll(() => asked.length).toBeGreaterThan(1)
  const [first, ...later] = asked
  expect([first, new Set(later)]).toEqual(['', new Set(['?refresh='])])
})

test('eight tabs of one browser work and notice a change', async ({ view, desk }) => {
  const pages = await Promise.all(Array.from({ length: 8 }, () => view.context().newPage()))
  await Promise.all(pages.map(page => page.goto(`${desk.url}/leads`)))
  for (const page of pages) await settled(page)
  for (const page of pages) await expect(page.locator('[data-lead]').first()).toBeAttached()
  await desk.store.pauseDeliveries({ reason: '', by: 'Someone else' })
  // A background tab polls rarely until it becomes visible.
  for (const page of pages) {
    await page.bringToFront()
    await expect(page.getByText(/^Deliveries are paused/)).toBeVisible()
  }
  await desk.store.resumeDeliveries({ by: 'Someone else' })
  await Promise.all(pages.map(page => page.close()))
})

for (const [how, cut] of [
  ['before it starts', false],
  ['in the middle of it', true],
] as const) {
  test(`when the session ends ${how}, an export leads to the sign-in page`, async ({ browser, desk }) => {
    const context = await browser.newContext()
    const name = `Short Timer ${how}`
    await context.addCookies([await desk.signIn(name, 'editor')])
    const page = await context.newPage()
    await page.goto(`${desk.url}/leads?state=held`)
    await settled(page)
    await page.getByRole('button', { name: /^Bulk actions/ }).click()
    await page.getByRole('button', { name: 'Export…' }).click()
    await page.route('**/api/leads/export', async route => {
      await desk.store.signOut(name)
      if (cut) await route.abort('connectionreset')
      else await route.continue()
    })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Export/ })
      .click()
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await context.close()
  })
}
