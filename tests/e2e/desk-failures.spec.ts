/** What the desk does when something goes wrong in the middle: no network, slow answers, answers that refuse, a session that ends. */
import type { Page, Route } from '@playwright/test'
import { expect, firstId, settled, test } from './desk-fixture.ts'

test.describe.configure({ mode: 'default' })

test.beforeEach(({ view }) => view.setViewportSize({ width: 1280, height: 800 }))

const ACTIONS = '**/api/leads/*/actions'

/** A page of its own, which is put to rights by closing it. */
async function openLead(view: Page, address: string): Promise<Page> {
  const page = await view.context().newPage()
  await page.goto(address)
  await settled(page)
  return page
}

const refuse = (route: Route) => route.fulfill({ status: 500, json: { error: 'failed', message: 'Out of order.' } })

test('a view that fails says so and offers a retry', async ({ view, desk }) => {
  const page = await view.context().newPage()
  await page.route('**/api/health', route => route.fulfill({ json: {} }))
  await page.goto(`${desk.url}/health`)
  await expect(page.getByRole('alert')).toContainText('This page couldn’t be shown')
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible()
  await page.close()
})

test('a bar says when the desk can’t be reached, until it can', async ({ view, desk }) => {
  const page = await view.context().newPage()
  await page.clock.install()
  // What a proxy answers in front of a desk that is down.
  await page.route('**/api/pulse', route => route.fulfill({ status: 502, body: 'Bad gateway' }))
  const refused = page.waitForResponse('**/api/pulse')
  await page.goto(desk.url)
  await settled(page)
  await refused
  const bar = page.getByText('Not connected. What you see may be out of date.')
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return bar.isVisible()
    })
    .toBe(true)
  await page.unroute('**/api/pulse')
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return bar.isVisible()
    })
    .toBe(false)
  await page.close()
})

test('an action without a network fails at once and never happens later', async ({ view, desk }) => {
  const id = await firstId(desk, { state: 'held' })
  const page = await openLead(view, `${desk.url}/leads/${id}`)
  await page.context().setOffline(true)
  await expect(page.getByText('Not connected. What you see may be out of date.')).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('That didn’t work')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(false)
  await expect(page.getByText('Not connected. What you see may be out of date.')).toHaveCount(0)
  await page.reload()
  await settled(page)
  expect((await desk.store.find(id))?.state).toBe('held')
  await page.close()
})

test('closing the dialog of a slow action keeps it going and reports the outcome', async ({ view, desk }) => {
  const id = await firstId(desk, { delivery: 'dead' })
  const page = await openLead(view, `${desk.url}/leads/${id}`)
  const answer = Promise.withResolvers<void>()
  await page.route(ACTIONS, async route => {
    await answer.promise
    await refuse(route)
  })
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByText('You can close this; it will finish in the background.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('link', { name: 'Health' }).click()
  answer.resolve()
  await expect(page.getByLabel('Notifications')).toContainText('That didn’t work. Out of order.')
  await page.close()
})

test('an undo that fails says so on any page', async ({ view, desk }) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  const page = await openLead(view, `${desk.url}/leads/${id}`)
  await page.getByRole('button', { name: 'Do not call' }).click()
  await page.getByRole('button', { name: 'Add to list' }).click()
  await expect(page.getByText('this phone number is on the do-not-call list')).toBeVisible()
  await page.route(ACTIONS, refuse)
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Notifications')).toContainText('That couldn’t be undone. Out of order.')
  await page.unroute(ACTIONS)
  await page.goto(`${desk.url}/leads/${id}`)
  await page.getByRole('button', { name: 'Remove from do-not-call list' }).click()
  await expect(page.getByText('this phone number is on the do-not-call list')).toHaveCount(0)
  await page.close()
})

test('a note that can’t be saved is kept as a draft', async ({ view, desk }) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  const page = await openLead(view, `${desk.url}/leads/${id}`)
  await page.route(ACTIONS, refuse)
  await page.getByLabel('New note').fill('Asked for a call in the evening.')
  await page.getByRole('button', { name: 'Add note' }).click()
  const problem = page.getByRole('alert').filter({ hasText: 'The note wasn’t saved' })
  await expect(problem).toBeVisible()
  expect((await problem.boundingBox())?.width).toBeGreaterThan(200)
  await page.getByRole('link', { name: 'Today' }).click()
  await page.goBack()
  await expect(page.getByLabel('New note')).toHaveValue('Asked for a call in the evening.')
  await page.unroute(ACTIONS)
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('listitem').getByText('Asked for a call in the evening.')).toBeVisible()
  await expect(page.getByLabel('New note')).toHaveValue('')
  await page.close()
})

test('while deliveries are paused, nothing claims that a lead is being sent', async ({ view, desk }) => {
  const page = await openLead(view, `${desk.url}/leads/${await firstId(desk, { delivery: 'dead' })}`)
  // By a colleague: the page polls for it.
  await desk.store.pauseDeliveries({ reason: '', by: 'Somebody else' })
  await expect(page.getByText(/^Deliveries are paused/)).toBeVisible()
  await page.getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByRole('dialog')).toContainText('it will be sent when they resume')
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByLabel('Notifications')).toContainText('It will be sent when deliveries resume')
  await desk.store.resumeDeliveries({ by: 'Somebody else' })
  await expect(page.getByText(/^Deliveries are paused/)).toHaveCount(0)
  await page.close()
})

test('closing a dialog keeps the scroll position', async ({ view, desk }) => {
  const page = await openLead(view, `${desk.url}/leads`)
  await page.mouse.wheel(0, 900)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)
  const before = await page.evaluate(() => scrollY)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await page.close()
})

test('one action runs at a time, and a note that was saved isn’t offered as a draft', async ({ view, desk }) => {
  const page = await openLead(view, `${desk.url}/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  const answer = Promise.withResolvers<void>()
  let asked = 0
  await page.route(ACTIONS, async route => {
    asked++
    await answer.promise
    await route.continue()
  })
  await page.getByLabel('New note').fill('Asked for a letter.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.goBack()
  await expect(page.getByLabel('New note')).toHaveValue('Asked for a letter.')
  answer.resolve()
  await expect(page.getByRole('listitem').getByText('Asked for a letter.')).toBeVisible()
  await expect(page.getByLabel('New note')).toHaveValue('')
  const late = Promise.withResolvers<void>()
  await page.unroute(ACTIONS)
  await page.route(ACTIONS, async route => {
    asked++
    await late.promise
    await refuse(route)
  })
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Do not call' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  late.resolve()
  await expect(page.getByText('Out of order.')).toBeVisible()
  expect(asked).toBe(2)
  await page.close()
})

test('a toast doesn’t cover the selection bar', async ({ view, desk }) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  const page = await openLead(view, `${desk.url}/leads/${id}`)
  await page.getByLabel('New note').fill('Called back.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('link', { name: 'All leads' }).click()
  await page
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .check()
  const [said, bar] = [page.getByLabel('Notifications'), page.getByLabel('Selected leads')]
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 })
    await expect
      .poll(async () => {
        const [above, below] = [await said.boundingBox(), await bar.boundingBox()]
        return above && below && above.y + above.height < below.y
      })
      .toBe(true)
  }
  await page.close()
})

test('a dialog focuses its field, stays open while text is selected, and focuses what is missing', async ({
  view,
  desk,
}) => {
  const page = await openLead(view, `${desk.url}/leads/${await firstId(desk, { state: 'held' })}`)
  await page.getByRole('button', { name: 'Reject' }).click()
  const field = page.getByRole('dialog').getByLabel('Reason')
  await expect(field).toBeFocused()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(/Enter a reason/)
  await field.fill('a test of ours')
  const box = await field.boundingBox()
  if (!box) throw new Error('The field is nowhere.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(20, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect(field).toHaveValue('a test of ours')
  await page.mouse.click(20, 400)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.close()
})
