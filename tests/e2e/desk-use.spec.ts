/**
 * Working at the desk, with a month of demo data: undo, filters, going back to the list, exports, bulk actions, and tabs
 * left open.
 */
import { readFile } from 'node:fs/promises'
import { createCalendar } from '../../server/settings/calendar.ts'
import { expect, firstId, openPage, test } from './desk-fixture.ts'

test('undo works for the do-not-call list, a colleague’s deleted note, and a pause', async ({
  view: page,
  open,
  desk,
}) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  await desk.store.addNote({ leadId: id, text: 'Speaks Spanish.', by: 'Ana Ruiz' })
  await open(`/leads/${id}`)
  const ready = page.getByText('Sent to your CRM')
  await expect(ready).toBeVisible()
  // One key and Enter.
  await page.keyboard.press('d')
  await expect(page.getByRole('button', { name: 'Add to list' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(ready).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Call / })).toHaveCount(0)
  for (const contact of ['Phone number', 'Email']) {
    const entry = page.getByRole('listitem').filter({ hasText: `${contact} added to the do-not-call list` })
    await expect(entry.locator('[data-icon=phone-off]')).toBeVisible()
  }
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(ready).toBeVisible()
  await expect(page.getByLabel('Notifications')).toContainText('Undone. Your CRM hadn’t been told not to call')

  // Removing an entry takes a request.
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove from do-not-call list' }).click()
  await page.getByRole('button', { name: 'Remove from list' }).click()
  await expect(page.getByText('Choose a reason.')).toBeVisible()
  await page.getByLabel('Reason').selectOption('The person asked to be called again')
  await page.getByRole('button', { name: 'Remove from list' }).click()
  await expect(ready).toBeVisible()
  await expect(page.getByText('The person asked to be called again, ')).toHaveCount(2)

  // An editor can delete a colleague's note. Undo restores it under the colleague's name.
  const byAna = page.getByRole('button', { name: /^Delete the note by Ana Ruiz/ })
  await byAna.click()
  await expect(byAna).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(byAna).toBeVisible()

  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByRole('button', { name: 'Pause deliveries' }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Resume deliveries' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Pause deliveries' })).toBeVisible()
  expect(await desk.store.deliveryPause()).toBeNull()
})

test('a bookmark restores filters; clearing them keeps search, order, and focus; dates can be typed', async ({
  view: page,
  open,
}) => {
  const query = () => new URL(page.url()).search
  await open('/leads?state=held&period=30d&sort=oldest')
  await expect(page.getByLabel('Review', { exact: true })).toHaveValue('=held')
  await expect(page.getByLabel('Received')).toHaveValue('30d')
  await expect(page.getByLabel('Sort by')).toHaveValue('oldest')
  await expect(page.getByText(/^6 leads$/)).toBeVisible()
  const current = page.getByRole('navigation', { name: 'Lists' }).locator('[aria-current]')
  await expect(current).toHaveText('On hold6')
  const lists = page.getByRole('navigation', { name: 'Lists' }).getByRole('listitem')
  await expect(lists).toHaveText(['All', 'On hold6', 'Delivery failed3', /^Queued\d+$/, 'Do-not-call list'])
  await page.getByRole('searchbox').fill('example')
  await page.getByText('Filters (2) On hold · Last 30 days').click()
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(page.locator('summary')).toBeFocused()
  await expect(page.getByRole('searchbox')).toHaveValue('example')
  await expect(current).toHaveText('All')
  expect(query()).toBe('?sort=oldest')

  // A date range starts from the current period.
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
  await page.getByLabel('Received').selectOption('yesterday')
  await page.getByLabel('Received').selectOption('dates')
  await expect(to).toHaveValue(await from.inputValue())
  await expect(current).toHaveCount(0)
  await to.fill('2026-04-01')
  await expect(page.getByText('This is before the start date')).toBeVisible()
  await to.fill('')
  await from.fill('')
  await expect.poll(query).toBe('?sort=oldest')
  // A half-typed year is also a valid year: 2, 20, or 202.
  const requested: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/leads/search')) requested.push(request.postDataJSON().filter.from)
  })
  await from.focus()
  await page.keyboard.type('01312020')
  await expect.poll(() => requested).toContain('2020-01-31')
  expect(requested.filter(date => date !== undefined && date !== '2020-01-31')).toEqual([])
})

test('a lead links back to its position in the list; any other link opens a page at the top', async ({
  view: page,
  open,
  desk,
}) => {
  await open('/leads?period=30d')
  const leads = page.locator('[data-lead]')
  // Scrolling down loads more.
  await leads.nth(49).scrollIntoViewIfNeeded()
  await expect.poll(() => leads.count()).toBeGreaterThan(50)
  const next = await leads.nth(61).getAttribute('data-lead')
  await leads.nth(60).click()
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(leads.nth(60)).toBeInViewport()
  await page.keyboard.press('j')
  await expect(page.locator(`[data-lead="${next}"]`)).toBeFocused()
  const { email } = (await desk.store.find(await firstId(desk, { state: 'held' }))) ?? {}
  await page.getByRole('searchbox').fill(`${email}`)
  await expect(page.getByText(/^1 lead$/)).toBeVisible()
  await leads.click()
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue(`${email}`)
  await expect(leads).toHaveCount(1)
  await leads.click()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  await page.keyboard.press('l')
  await leads.nth(30).click()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  const scrollDown = () =>
    page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight)
      return scrollY
    })
  await expect.poll(scrollDown).toBeGreaterThan(0)
  // The list is in the cache, so it's shown at once.
  await page.keyboard.press('l')
  await expect(leads.first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('a search without a lead offers to add the number to the do-not-call list, which has its own page', async ({
  view: page,
  open,
}) => {
  await open('/leads')
  await page.getByRole('searchbox').fill('917-555-0199')
  await page.getByRole('button', { name: 'Add (917) 555-0199 to the do-not-call list' }).click()
  await expect(page.getByLabel('Notifications')).toContainText('Added to the do-not-call list.')
  await page.getByRole('link', { name: 'Do-not-call list' }).click()
  await expect(page.getByRole('heading', { name: 'Do-not-call list', level: 1 })).toBeVisible()
  const search = page.getByLabel('Search or add')
  await search.fill('917 555')
  await page.getByLabel('Select (917) 555-0199').check()
  await expect(page.getByRole('button', { name: 'Remove 1 request…' })).toBeVisible()
  await search.fill('Zoe@example.org')
  // What a search hides is no longer selected.
  await expect(page.getByRole('button', { name: 'Remove 1 request…' })).toBeHidden()
  await page.getByRole('button', { name: 'Add Zoe@example.org to the do-not-call list' }).click()
  await expect(page.getByRole('listitem').getByText('zoe@example.org').first()).toBeVisible()
  expect(new URL(page.url()).search).not.toContain('917')

  // The pressed buttons are gone, but the focus isn't.
  await expect(search).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await expect(page.getByText('Not on the list')).toBeVisible()
  await search.fill('')
  await page.getByLabel('How it came in').selectOption('Restored')
  await expect(page.getByText('No requests match the filters')).toBeVisible()
  await page.getByLabel('How it came in').selectOption('Any way')
  await search.fill('917 555')
  await page.getByRole('button', { name: 'Remove… (917) 555-0199' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Remove from the do-not-call list' })
  await dialog.getByRole('button', { name: 'Remove from list' }).press('Enter')
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription('Choose a reason.')
  await dialog.getByLabel('Reason').selectOption('It was added by mistake')
  await dialog.getByRole('button', { name: 'Remove from list' }).press('Enter')
  await expect(page.getByText('Not on the list')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Requests' })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await expect(page.getByRole('listitem').getByText('(917) 555-0199').first()).toBeVisible()
  await page.getByRole('button', { name: 'Take back together…' }).press('Enter')
  const together = page.getByRole('dialog', { name: 'Take back together' })
  await together.getByLabel('What came in').selectOption('By Maria Lopez')
  await together.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(together.getByText(/^Removes \d+ requests? from the list/)).toBeVisible()
})

test('an export contains the filtered leads and is listed on Health; a bulk approval reports its count', async ({
  view: page,
  open,
  desk,
}) => {
  await open('/leads?state=held')
  await page.getByRole('button', { name: 'Export…' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export 6 leads' }).click()
  const file = await (await downloading).path()
  await expect(page.getByRole('status').filter({ hasText: 'Saved to your downloads: 6 leads.' })).toBeVisible()
  expect((await readFile(file, 'utf8')).trimEnd().split('\r\n')).toHaveLength(7)
  await expect(page.getByRole('button', { name: 'Export…' })).toBeFocused()
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page.getByText(/Maria Lopez exported data about 6 leads as CSV \(On hold\)/)).toBeVisible()
  await page.getByText('Leads viewed in lists').click()
  await expect(page.getByText(/Maria Lopez viewed 6 leads/)).toBeVisible()

  await open('/leads?state=rejected')
  await page.getByRole('button', { name: 'Bulk actions (2)' }).click()
  await page.getByRole('button', { name: 'Approve…' }).click()
  await expect(page.getByText('2 leads will be sent to your CRM.')).toBeVisible()
  await page.getByRole('button', { name: 'Approve 2' }).click()
  await expect(page.getByText('2 leads approved.')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/^0 leads$/)).toBeVisible()
  expect(await desk.store.count({ state: 'rejected' })).toBe(0)
})

test('a tab left open past midnight shows the new day', async ({ view, desk }) => {
  const page = await view.context().newPage()
  const { timeZone } = await (await page.request.get('/api/session')).json()
  const calendar = createCalendar(timeZone)
  const today = calendar.dateOf(desk.now())
  const tomorrow = calendar.daysAfter(today, 1)
  const requested: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/leads/search')) requested.push(request.postDataJSON().filter.from)
  })
  await page.clock.install({ time: calendar.startOf(tomorrow) - 60_000 })
  await openPage(page, `${desk.url}/leads?period=today`)
  expect(requested.at(-1)).toBe(today)
  await page.clock.runFor(90_000)
  await expect.poll(() => requested.at(-1)).toBe(tomorrow)
})

test('when an open lead refreshes itself, no new view is recorded', async ({ view, open, desk }) => {
  const id = await firstId(desk, { state: 'held' })
  const requested: string[] = []
  view.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname === `/api/leads/${id}`) requested.push(search)
  })
  await open(`/leads/${id}`)
  await desk.store.pauseDeliveries({ reason: '', by: 'Someone else' })
  await expect.poll(() => requested.length).toBeGreaterThan(1)
  const [first, ...later] = requested
  expect([first, new Set(later)]).toEqual(['', new Set(['?refresh='])])
})

test('when the session ends before or during an export, the sign-in page opens', async ({ signIn, desk }) => {
  for (const [name, isCutOff] of [
    ['Early Leaver', false],
    ['Short Timer', true],
  ] as const) {
    const page = await signIn(name, 'editor', {})
    await openPage(page, '/leads?state=held')
    await page.getByRole('button', { name: 'Export…' }).click()
    await page.route('**/api/leads/export', async route => {
      await desk.store.signOut({ name, by: 'test' })
      if (isCutOff) await route.abort('connectionreset')
      else await route.continue()
    })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Export/ }).click()
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
})

test('an agent corrects a number after the person’s yes; what was submitted stays next to it', async ({
  view: page,
  open,
  desk,
}) => {
  const id = await firstId(desk, { state: 'accepted' })
  const before = (await desk.store.find(id))?.phone ?? ''
  await open(`/leads/${id}`)
  await page.getByRole('button', { name: 'Correct', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct contact details' })
  await dialog.getByLabel('Phone number').fill('212-555-0187')
  await dialog.getByLabel('Reason').fill('A digit was wrong')
  await dialog.getByRole('button', { name: 'Save correction' }).click()
  await expect(dialog.getByText('Ask them, and check the box if they say yes.')).toBeVisible()
  await expect(dialog.getByText(/May .+ call you at the phone number you gave me/)).toBeVisible()
  await dialog.getByLabel('They said yes').check()
  await dialog.getByRole('button', { name: 'Save correction' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('(212) 555-0187').first()).toBeVisible()
  await expect(page.getByText(`Phone number was: ${before}`)).toBeVisible()
  await expect(page.getByText('Number corrected by Maria Lopez')).toBeVisible()
  await open(`/leads/${id}`)
  await expect(page.getByRole('button', { name: 'Copy the phone number' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to (212) 555-0187' }).click()
  await expect(page.getByText(`Phone number was: ${before}`)).toBeVisible()
})
