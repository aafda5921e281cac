/** The desk when something goes wrong: no network, slow responses, rejections, a pause, a crashed view. */
import type { Route } from '@playwright/test'
import { expect, firstId, test } from './desk-fixture.ts'

const ACTIONS = '**/api/leads/*/actions'

const fail = (route: Route) => route.fulfill({ status: 500, json: { error: 'failed', message: 'Out of order.' } })

test('an action that fails says so: right away when offline, after its dialog has closed, and when it’s undone on another page', async ({
  view: page,
  open,
  desk,
}) => {
  const dialog = page.getByRole('dialog')
  const notices = page.getByLabel('Notifications')
  await test.step('offline, it isn’t retried later', async () => {
    const id = await firstId(desk, { state: 'held' })
    await open(`/leads/${id}`)
    const bar = page.getByText('Not connected. What you see may be out of date.')
    await page.context().setOffline(true)
    await page.evaluate(() => scrollTo(0, 400))
    await expect(bar).toBeVisible()
    // The header doesn't cover it.
    expect(await bar.evaluate(p => p === document.elementFromPoint(9, p.getBoundingClientRect().y + 9))).toBe(true)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await expect(dialog.getByRole('alert')).toContainText('That didn’t work')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.context().setOffline(false)
    await expect(bar).toHaveCount(0)
    await open(`/leads/${id}`)
    expect((await desk.store.find(id))?.state).toBe('held')
  })
  await test.step('a slow one continues after its dialog closes, and blocks other actions', async () => {
    await open(`/leads/${await firstId(desk, { delivery: 'dead' })}`)
    const response = Promise.withResolvers<void>()
    await page.route(ACTIONS, async route => {
      await response.promise
      await fail(route)
    })
    await page.getByRole('button', { name: 'Resend' }).click()
    await dialog.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText('You can close this; it will finish in the background.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('button', { name: 'Do not call' }).click()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('link', { name: 'Health' }).click()
    response.resolve()
    await expect(notices).toContainText('That didn’t work. Out of order.')
    await page.unroute(ACTIONS)
  })
  await test.step('a failed undo is reported on any page', async () => {
    await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
    await page.getByRole('button', { name: 'Do not call' }).click()
    await page.getByRole('button', { name: 'Add to list' }).click()
    await expect(page.getByText('This phone number has been on the do-not-call list since')).toBeVisible()
    await page.route(ACTIONS, fail)
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(notices).toContainText('That couldn’t be undone. Out of order.')
  })
})

test('a note that can’t be saved stays a draft until it’s saved', async ({ view: page, open, desk }) => {
  await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  await page.route(ACTIONS, fail)
  const [field, add] = [page.getByLabel('New note'), page.getByRole('button', { name: 'Add note' })]
  await field.fill('Asked for a call in the evening.')
  await add.click()
  await expect(page.getByRole('alert').filter({ hasText: 'The note wasn’t saved' })).toBeVisible()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.goBack()
  await expect(field).toHaveValue('Asked for a call in the evening.')
  await page.reload()
  await expect(field).toHaveValue('Asked for a call in the evening.')
  await page.unroute(ACTIONS)
  // Saved while the user is on another page, so it isn't offered as a draft again.
  const response = Promise.withResolvers<void>()
  await page.route(ACTIONS, async route => {
    await response.promise
    await route.continue()
  })
  await add.click()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.goBack()
  response.resolve()
  await expect(page.getByRole('listitem').getByText('Asked for a call in the evening.')).toBeVisible()
  await expect(field).toHaveValue('')
  // What someone types while a note is being saved becomes the next draft.
  await page.unroute(ACTIONS)
  const saving = Promise.withResolvers<void>()
  await page.route(ACTIONS, async route => {
    await saving.promise
    await route.continue()
  })
  await field.fill('Speaks Spanish.')
  await field.press('Control+Enter')
  await expect(add).toHaveAttribute('aria-busy', 'true')
  await field.fill('Speaks Spanish. Lives in Reno.')
  saving.resolve()
  await expect(page.getByRole('listitem').getByText('Speaks Spanish.', { exact: true })).toBeVisible()
  await expect(field).toHaveValue('Lives in Reno.')
})

test('while deliveries are paused, every view says so, and none claims a lead is being sent', async ({
  view: page,
  open,
  desk,
}) => {
  await open(`/leads/${await firstId(desk, { delivery: 'dead' })}`)
  const line = page.getByText(/^Deliveries are paused/)
  // A colleague pauses deliveries; the page finds out by polling.
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

test('a dialog focuses its field, refocuses it if empty, stays open while text is selected, and keeps the scroll position', async ({
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
  if (!box) throw new Error('The field isn’t visible.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(20, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect(field).toHaveValue('a test of ours')
  await page.mouse.click(20, 400)
  await expect(dialog).toHaveCount(0)
  await page.mouse.wheel(0, 400)
  let before = 0
  const isStill = async () => {
    const earlier = before
    before = await page.evaluate(() => scrollY)
    return before > 100 && before === earlier
  }
  await expect.poll(isStill).toBe(true)
  await page.keyboard.press('?')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await page.evaluate(() => scrollY)).toBe(before)
})

test('a list that couldn’t be refreshed says it may be out of date; a crashed view says so and offers a way back', async ({
  view: page,
  open,
  desk,
}) => {
  await open('/leads?delivery=delivered')
  // While leads are selected, the list doesn’t refresh itself.
  await page.locator('tbody').getByRole('checkbox').first().check()
  await desk.store.reject({ ids: [await firstId(desk, { state: 'held' })], reason: 'a test', by: 'someone else' })
  await page.route('**/api/leads/search', fail)
  await page.getByRole('button', { name: 'List has changed. Refresh' }).click()
  await expect(page.getByRole('alert')).toContainText('it may be out of date. Out of order.')
  await expect(page.locator('[data-lead]').first()).toBeVisible()
  await page.unroute('**/api/leads/search')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.route('**/api/health', route => route.fulfill({ json: {} }))
  await page.goto('/health')
  await expect(page.getByRole('alert')).toContainText('This page couldn’t be shown')
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible()
})
