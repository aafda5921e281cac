/** When something goes wrong in the middle: no network, slow responses, rejections, a pause, a crashed view. */
import type { Route } from '@playwright/test'
import { expect, firstId, test } from './desk-fixture.ts'

test.describe.configure({ mode: 'default' })

const ACTIONS = '**/api/leads/*/actions'

const refuse = (route: Route) => route.fulfill({ status: 500, json: { error: 'failed', message: 'Out of order.' } })

test('a view that crashes says so and offers a way on', async ({ view: page }) => {
  await page.route('**/api/health', route => route.fulfill({ json: {} }))
  await page.goto('/health')
  await expect(page.getByRole('alert')).toContainText('This page couldn’t be shown')
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible()
})

test('an action without a network fails at once and never happens later', async ({ view: page, open, desk }) => {
  const id = await firstId(desk, { state: 'held' })
  await open(`/leads/${id}`)
  const bar = page.getByText('Not connected. What you see may be out of date.')
  await page.context().setOffline(true)
  await expect(bar).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('That didn’t work')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(false)
  await expect(bar).toHaveCount(0)
  await open(`/leads/${id}`)
  expect((await desk.store.find(id))?.state).toBe('held')
})

test('closing the dialog of a slow action keeps it going, allows no other, and reports the outcome', async ({
  view: page,
  open,
  desk,
}) => {
  await open(`/leads/${await firstId(desk, { delivery: 'dead' })}`)
  const answer = Promise.withResolvers<void>()
  await page.route(ACTIONS, async route => {
    await answer.promise
    await refuse(route)
  })
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByText('You can close this; it will finish in the background.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Do not call' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'Health' }).click()
  answer.resolve()
  await expect(page.getByLabel('Notifications')).toContainText('That didn’t work. Out of order.')
})

test('an undo that fails says so on any page', async ({ view: page, open, desk }) => {
  await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  await page.getByRole('button', { name: 'Do not call' }).click()
  await page.getByRole('button', { name: 'Add to list' }).click()
  await expect(page.getByText('this phone number is on the do-not-call list')).toBeVisible()
  await page.route(ACTIONS, refuse)
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Notifications')).toContainText('That couldn’t be undone. Out of order.')
})

test('a note that can’t be saved is kept as a draft until it is', async ({ view: page, open, desk }) => {
  await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  await page.route(ACTIONS, refuse)
  const [field, add] = [page.getByLabel('New note'), page.getByRole('button', { name: 'Add note' })]
  await field.fill('Asked for a call in the evening.')
  await add.click()
  await expect(page.getByRole('alert').filter({ hasText: 'The note wasn’t saved' })).toBeVisible()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.goBack()
  await expect(field).toHaveValue('Asked for a call in the evening.')
  await page.unroute(ACTIONS)
  // Saved while the user is on another page, so it isn't offered as a draft again.
  const answer = Promise.withResolvers<void>()
  await page.route(ACTIONS, async route => {
    await answer.promise
    await route.continue()
  })
  await add.click()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.goBack()
  answer.resolve()
  await expect(page.getByRole('listitem').getByText('Asked for a call in the evening.')).toBeVisible()
  await expect(field).toHaveValue('')
})

test('every view says that deliveries are paused, and nothing claims that a lead is being sent', async ({
  view: page,
  open,
  desk,
}) => {
  await open(`/leads/${await firstId(desk, { delivery: 'dead' })}`)
  const line = page.getByText(/^Deliveries are paused/)
  // A colleague pauses deliveries; the page polls.
  await desk.store.pauseDeliveries({ reason: '', by: 'Lou' })
  await expect(line).toBeVisible()
  await page.getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByRole('dialog')).toContainText('it will be sent when they resume')
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByLabel('Notifications')).toContainText('It will be sent when deliveries resume')
  for (const path of ['/', '/leads', '/you', '/health']) {
    await open(path)
    await expect(line).toBeVisible()
  }
  await page.getByRole('button', { name: 'Resume deliveries' }).click()
  await expect(line).toHaveCount(0)
})

test('a dialog focuses its field, stays open while text is selected, focuses a missing field, and keeps the scroll position', async ({
  view: page,
  open,
  desk,
}) => {
  await open(`/leads/${await firstId(desk, { state: 'held' })}`)
  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel('Reason')
  await expect(field).toBeFocused()
  await dialog.getByRole('button', { name: 'Reject' }).click()
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
  await expect(dialog).toHaveCount(0)
  await page.mouse.wheel(0, 400)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  const before = await page.evaluate(() => scrollY)
  await page.keyboard.press('?')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await page.evaluate(() => scrollY)).toBe(before)
})

test('a list that couldn’t be refreshed says that it may be out of date', async ({ view: page, open, desk }) => {
  await open('/leads?delivery=delivered')
  // With a selection, the list doesn’t refresh itself.
  await page.locator('tbody').getByRole('checkbox').first().check()
  await desk.store.reject({ ids: [await firstId(desk, { state: 'held' })], reason: 'a test', by: 'someone else' })
  await page.route('**/api/leads/search', refuse)
  await page.getByRole('button', { name: 'List has changed. Refresh' }).click()
  await expect(page.getByRole('alert')).toContainText('it may be out of date. Out of order.')
  await expect(page.locator('[data-lead]').first()).toBeVisible()
  await page.unroute('**/api/leads/search')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
