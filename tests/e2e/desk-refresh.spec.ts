/** What moves by itself in the desk, and what doesn't: lists, highlights, dialogs, and focus. */
import type { Page, Request } from '@playwright/test'
import { capture, expect, firstId, test } from './desk-fixture.ts'

const returnToTab = (page: Page) => page.evaluate(() => dispatchEvent(new Event('visibilitychange')))

test('returning to the tab only polls, and rows don’t move under the pointer', async ({ view, desk }) => {
  const page = await view.context().newPage()
  await page.clock.install({ time: desk.now() })
  const requested: string[] = []
  const unanswered = new Set<Request>()
  page.on('request', request => {
    requested.push(new URL(request.url()).pathname)
    unanswered.add(request)
  })
  page.on('requestfinished', request => unanswered.delete(request))
  page.on('requestfailed', request => unanswered.delete(request))
  await page.goto('/leads')
  const leads = page.locator('[data-lead]')
  const first = await leads.first().getAttribute('data-lead')
  // Older than TanStack Query's stale time.
  await page.clock.runFor(20_000)
  await expect.poll(() => unanswered.size).toBe(0)
  requested.length = 0
  await returnToTab(page)
  await expect.poll(() => requested).toContain('/api/pulse')
  expect(new Set(requested)).toEqual(new Set(['/api/pulse']))
  // A browser has six connections for all tabs, so none of them can keep one.
  await expect.poll(() => Array.from(unanswered, request => request.url())).toEqual([])

  await leads.first().hover()
  const newest = await capture(desk, 'Zebulon')
  await returnToTab(page)
  const refresh = page.getByRole('button', { name: 'List has changed. Refresh' })
  await expect(refresh).toBeVisible()
  expect(await leads.first().getAttribute('data-lead')).toBe(first)
  await refresh.click()
  await expect(leads.first()).toHaveAttribute('data-lead', newest)
})

test('only leads that arrived since the list was opened are highlighted', async ({ view: page, open, desk }) => {
  await open('/leads?sort=oldest')
  const leads = page.locator('[data-lead]')
  const highlighted = page.locator('tr.animate-new')
  await leads.nth(49).scrollIntoViewIfNeeded()
  await expect.poll(() => leads.count()).toBeGreaterThan(50)
  await expect(highlighted).toHaveCount(0)
  await open('/leads')
  const lists = page.getByRole('navigation', { name: 'Lists' })
  for (const name of ['On hold', 'Queued', 'All']) {
    await lists.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect(page.getByRole('table')).not.toHaveAttribute('aria-busy')
    await expect(highlighted).toHaveCount(0)
  }
  await page.mouse.move(0, 0)
  const id = await capture(desk, 'Zebulon')
  await expect(page.locator(`tr.animate-new [data-lead="${id}"]`)).toBeVisible()
  await expect(highlighted).toHaveCount(1)

  await test.step('the export dialog stays open when the list becomes empty', async () => {
    await lists.getByRole('link', { name: 'On hold' }).click()
    await page.getByRole('button', { name: 'Export…' }).click()
    const held = await desk.store.page({ filter: { state: 'held' }, order: 'newest first', limit: 100, after: null })
    await desk.store.reject({ ids: held.map(lead => lead.id), reason: 'a test', by: 'Someone else' })
    await expect(page.getByText(/^0 leads$/)).toBeAttached()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Export 6 leads' })).toBeVisible()
  })
})

test('focus stays nearby when the pressed button or the whole page disappears, and doesn’t move later', async ({
  view: page,
  open,
  desk,
}) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  await desk.store.addNote({ leadId: id, text: 'Speaks Spanish.', by: 'Maria Lopez' })
  await open(`/leads/${id}`)
  const field = page.getByLabel('New note')
  const remove = page.getByRole('button', { name: /^Delete the note/ })
  for (const button of ['Undo', 'Close this message']) {
    await remove.press('Enter')
    await expect(remove).toHaveCount(0)
    await expect(field).toBeFocused()
    await page.getByRole('button', { name: button }).last().press('Enter')
    await expect(field).toBeFocused()
    if (button === 'Undo') await expect(remove).toBeVisible()
  }
  await page.getByRole('button', { name: 'Resend' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('[data-actions]')).toBeFocused()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await desk.store.addNote({ leadId: id, text: 'Lives in Reno.', by: 'Ana Ruiz' })
  await expect(page.getByText('Lives in Reno.')).toBeVisible()
  await expect(page.locator('body')).toBeFocused()

  await open('/leads?state=held')
  await page.locator('tbody').getByRole('checkbox').nth(1).press('Space')
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter')
  await expect(page.locator('[data-lead]').nth(1)).toBeFocused()

  for (let count = 0; count < 14; count++) await desk.store.addNote({ leadId: id, text: `${count}`, by: 'Ana Ruiz' })
  await open(`/leads/${id}`)
  await page.getByRole('button', { name: /^Show all/ }).press('Enter')
  await expect(page.getByRole('region', { name: 'History' })).toBeFocused()

  await open('/leads')
  await page.getByRole('searchbox').fill('nobody has this name')
  await page.getByRole('link', { name: 'Clear search and filters' }).press('Enter')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Leads')
  await expect(heading).toBeFocused()

  // A click elsewhere moves the focus, and it stays there.
  const heldId = await firstId(desk, { state: 'held' })
  const note = await desk.store.addNote({ leadId: heldId, text: 'Speaks Spanish.', by: 'Ana Ruiz' })
  await open(`/leads/${heldId}`)
  await page.getByRole('button', { name: /^Delete the note/ }).focus()
  await page.getByRole('banner').click({ position: { x: 900, y: 20 } })
  await expect(page.locator('body')).toBeFocused()
  await desk.store.removeNote({ leadId: heldId, noteId: note?.id ?? '', by: 'Ana Ruiz' })
  await expect(page.getByText('Speaks Spanish.')).toHaveCount(0)
  await expect(page.locator('body')).toBeFocused()

  await open('/leads')
  await page.getByRole('searchbox').focus()
  await desk.store.signOut({ name: 'Maria Lopez', by: 'test' })
  await expect(heading).toHaveText('Sign in')
  await expect(heading).toBeFocused()
})
