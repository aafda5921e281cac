/** Today for a manager, with the demo's calls. */
import { hashToken } from '../../server/store/operations/desk/accounts.ts'
import { expect, test } from './desk-fixture.ts'
import { expectNoViolations } from './page-checks.ts'

test.use({ deskOptions: { callList: true, demoCalls: true } })

test('a manager sees who was called, how fast, and by whom, and sorts campaigns', async ({ view: page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/today')
  await page.getByRole('link', { name: '30 days' }).click()
  await expect(page).toHaveURL(/\/today\?period=30d$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Last 30 days')
  await expect(page.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'true')
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(card('People called')).toContainText(/\d{3}/)
  await expect(card('Time to first call')).toContainText(/\d+ min/)
  await expect(card('By person').getByRole('row', { name: /^Ben Carter/ })).toBeVisible()
  await expect(card('Needs attention')).toContainText('missed callback')
  await page.getByRole('button', { name: 'Export calls…' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/^calls-.*\.csv$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // On a phone, the figures have labels instead of columns.
  await card('Calls by campaign').getByLabel('Sort by').selectOption('Reached')
  const cells = await card('Calls by campaign').getByRole('row').locator('td:nth-child(4)').allInnerTexts()
  const shares = cells.map(text => Number.parseFloat(text.replace('Reached', '')))
  expect(shares.length).toBeGreaterThan(3)
  expect(shares).toEqual(shares.toSorted((a, b) => b - a))
  await expectNoViolations(page)
  for (const [figure, title] of [
    [/^\d+ missed callback/, 'Missed callbacks'],
    [/waiting over 30 minutes/, 'Waiting over 30 minutes'],
  ] as const) {
    const link = card('Needs attention').getByRole('link', { name: figure })
    const count = Number.parseInt((await link.textContent()) ?? '', 10)
    await link.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(count)
    await expectNoViolations(page)
    await page.goBack()
  }
  // An unknown part or period shows everything.
  await open('/calls?only=toString')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Calls')
  await open('/today?period=toString')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('/today')
  await expect(card('By person')).toBeVisible()
  await expectNoViolations(page)
})

test('a manager invites an agent, changes their role, and removes them', async ({ view: page, open, desk }) => {
  await open('/setup')
  await page.getByRole('main').getByRole('link', { name: 'People' }).click()
  await page.getByRole('button', { name: 'Invite someone…' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByLabel('Name').fill('Rosa Diaz')
  await page.getByLabel('Spanish').check()
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link for Rosa Diaz' })
  await expect(dialog).toContainText(/works once, until .+ [AP]M/)
  const link = (await dialog.locator('code').textContent()) ?? ''
  const token = hashToken(link.split('#')[1]) ?? ''
  expect(await desk.store.invitation(token)).toMatchObject({ person: { name: 'Rosa Diaz', role: 'agent' } })
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Rosa Diaz' }).first()
  await expect(row).toContainText('agent · English, Spanish · Never active')

  await page.getByRole('button', { name: 'Manage Rosa Diaz' }).click()
  await page.getByRole('button', { name: 'Change role…' }).click()
  await page.getByLabel('Role', { exact: true }).selectOption('Viewer')
  await page.getByRole('button', { name: 'Change role', exact: true }).click()
  await expect(row).toContainText('viewer ·')

  await page.getByRole('button', { name: 'Manage Rosa Diaz' }).click()
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Rosa Diaz was removed.').last()).toBeVisible()
  expect(await desk.store.invitation(token)).toBeNull()
  await page.getByText('Changes', { exact: true }).click()
  await expect(page.getByText('Maria Lopez made Rosa Diaz a viewer.')).toBeVisible()
})
