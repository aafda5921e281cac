/** Someone calls us: a person we know, and one who never sent the form. By keyboard, without a number in any URL. */

import type { Page } from '@playwright/test'
import { words } from '../../site-folder/site.ts'
import { WORKDAY } from '../support/desk-server.ts'
import { test as base, capture, expect, openPage } from './desk-fixture.ts'
import { expectNoViolations } from './page-checks.ts'

const { questions } = words.es

const test = base.extend<{ page: Page; urls: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  deskOptions: async ({}, use) => {
    let at = WORKDAY
    await use({ callList: true, now: () => at++ })
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
  urls: async ({}, use) => use([]),
  page: async ({ signIn, urls }, use) => {
    const page = await signIn('Cal Caller', 'agent', { reducedMotion: 'reduce' })
    page.on('request', request => urls.push(request.url()))
    page.on('framenavigated', frame => urls.push(frame.url()))
    await use(page)
  },
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('a person we know calls: the agent checks who it is, and saves what happened', async ({ desk, page, urls }) => {
  const id = await capture(desk, 'Mary', { contact: { phone: '(212) 555-0187' } })
  await openPage(page, '/today')
  await page.keyboard.press('i')
  await page.keyboard.insertText('+1 212 555 0187')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Mary Lovelace')
  await expect(page.getByText(/^They called us at .* Check who it is first\.$/)).toBeVisible()
  await expect(page.getByText(/^Thank you for calling .*My name is Cal Caller\./)).toBeVisible()
  await expect(page.getByRole('radio', { name: 'No answer' })).toHaveCount(0)
  await expectNoViolations(page)
  // Nobody is asked about her while someone else with her number is added.
  await openPage(page, '/calls')
  await expect(page.getByText(/^Mary Lovelace called us at/)).toBeVisible()
  await page.getByRole('link', { name: 'What happened?' }).click()
  await page.getByRole('button', { name: 'Someone else is calling' }).click()
  await expect(heading(page)).toHaveText('Add someone who called us')
  await expect(page.getByText(/^Mary Lovelace called us at/)).toHaveCount(0)
  await page.goBack()
  await page.keyboard.press('7')
  await expect(page.locator('dd').getByText('We won’t call you again.').first()).toBeVisible()
  await page.keyboard.press('1')
  await page.keyboard.press('Control+Enter')
  await expect(heading(page)).toHaveText('Calls')
  expect(await desk.store.callLog(id)).toMatchObject([{ incoming: true, outcome: 'going ahead' }])
  expect(urls.join(' ')).not.toContain('5550187')
})

test('a stranger calls with a question, which is only counted; then again: the agent adds them with their spoken yes, and promises a callback', async ({
  desk,
  page,
  urls,
}) => {
  await openPage(page, '/calls')
  await page.keyboard.press('i')
  await page.keyboard.insertText('808-555-0142')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'They only had a question' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const at = await desk.store.storeTime()
  expect(await desk.store.callStats({ since: at - 60_000, until: at + 60_000 })).toMatchObject({
    incoming: 1,
    calledUs: 0,
    agents: [{ name: 'Cal Caller', unknownCallers: 1 }],
  })

  await page.getByRole('button', { name: 'Someone called us' }).click()
  await page.keyboard.insertText('808-555-0142')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('(808) 555-0142 isn’t on file')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.keyboard.insertText('Rosa')
  await page.keyboard.press('Tab')
  await page.keyboard.insertText('Vega')
  await page.getByLabel('Speaks', { exact: true }).selectOption('Spanish')
  await page
    .getByRole('group', { name: questions['hasAttorney'] ?? '' })
    .getByLabel('No', { exact: true })
    .check()
  await page.getByLabel('They said yes').check()
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue('Rosa')
  await expect(page.getByLabel('They said yes')).not.toBeChecked()
  // Another call from there before this one is saved.
  await heading(page).press('i')
  await page.keyboard.insertText('808-555-0142')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('isn’t on file')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('First name')).toHaveValue('')
  await page.goBack()
  await expect(page.getByLabel('First name')).toHaveValue('Rosa')
  await expect(page.getByLabel('They said yes')).not.toBeChecked()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Save this person' }).click()
  await expect(page.getByText('Read it aloud, and check the box if they say yes.')).toBeVisible()
  await page.getByLabel('They said yes').check()
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Rosa Vega')
  await expect(page.getByText(/^They called us/)).toBeVisible()
  await page.keyboard.press('3')
  await page.keyboard.press('=')
  await page.keyboard.press('Control+Enter')
  await expect(heading(page)).toHaveText('Calls')
  // The message about the saved call may cover them.
  await page.getByText(/^Can’t be called right now/).press('Enter')
  await page.getByRole('table').getByRole('link', { name: 'Rosa Vega' }).press('Enter')
  await expect(page.getByText(/^Hola, me llamo Cal Caller\. ¿Puedo hablar con Rosa, por favor\?$/)).toBeVisible()
  await expect(page.getByText(/El \d+ de \p{L}+, nos dijo por teléfono/u)).toBeVisible()
  const [lead] = await desk.store.leadsOfPerson({ phone: '8085550142' })
  expect(lead).toMatchObject({ consentTakenBy: 'Cal Caller', language: 'es', email: '' })
  expect(urls.join(' ')).not.toContain('5550142')
})
