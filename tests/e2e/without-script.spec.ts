/** Path: / or /advertorial without JavaScript → the plain form → /thank-you, /decline, or the form again with its errors. */

import { questions } from '../../domain/questionnaire.ts'
import { openSqliteDatabase } from '../../server/leads/sqlite-database.ts'
import { storeFile } from '../../server/leads/store-file.ts'
import { startSite } from '../support/site-server.ts'
import { test as base, expect, homes, margaret, SUBMIT, type Visitor } from './visitor.ts'

/** The app's own receiver and store are behind the form here. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    const site = await startSite({ withReceiver: false })
    await use(site)
    await site.close()
  },
})

test.use({ javaScriptEnabled: false })

async function choose(visitor: Visitor, wrongly: readonly number[] = []) {
  for (const { id, requiredAnswer } of questions) {
    const yes = wrongly.includes(id) ? !requiredAnswer : requiredAnswer
    await visitor.page.locator(`input[name="question-${id}"][value="${yes ? 'yes' : 'no'}"]`).check()
  }
}

async function type(visitor: Visitor, contact: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(contact)) await visitor.page.locator(`input[name="${name}"]`).fill(value)
}

const press = (visitor: Visitor) => visitor.page.locator('button[type=submit]').click()

async function storedLeads(dataDir: string) {
  const database = openSqliteDatabase(storeFile(dataDir), { readOnly: true })
  const rows = await database.read(sql => sql('SELECT * FROM leads'))
  await database.close()
  return rows
}

for (const { name, path } of homes) {
  test(`${name}: an eligible visitor leaves a lead`, async ({ visitor, page, site }) => {
    await visitor.open(`${path}?utm_source=ad`)
    await expect(page.locator('[data-questionnaire]')).toBeHidden()
    await expect(page.locator('button[type=submit]')).toHaveText(SUBMIT)
    await choose(visitor)
    await type(visitor, margaret)
    await press(visitor)
    await page.waitForURL('**/thank-you')
    const [lead, ...others] = await storedLeads(site.dataDir)
    expect(others).toEqual([])
    expect(lead).toMatchObject({
      state: 'accepted',
      first_name: margaret.firstName,
      last_name: margaret.lastName,
      email: margaret.email,
      phone: margaret.phone,
      page: path,
      campaign: '{"utm_source":"ad"}',
    })
  })
}

test('an ineligible visitor is sent on, and nothing is kept', async ({ visitor, page, site }) => {
  await visitor.open('/')
  await choose(visitor, [5])
  await type(visitor, margaret)
  await press(visitor)
  await page.waitForURL('**/decline')
  expect(await storedLeads(site.dataDir)).toEqual([])
})

test('what is missing is told beside its field, and everything entered is kept', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  const typed = { ...margaret, lastName: '"><script>alert(1)</script>{{value:email}}', email: 'margaret@', phone: '' }
  await visitor.open('/advertorial?utm_campaign=spring')
  await choose(visitor)
  await page.locator('input[name="question-2"][value="yes"]').check()
  await type(visitor, typed)
  await press(visitor)
  await expect(page).toHaveTitle(/^Error: /)
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(['Email is invalid', 'Phone number is required'])
  for (const [name, value] of Object.entries(typed))
    await expect(page.locator(`input[name="${name}"]`)).toHaveValue(value)
  await expect(page.locator('input[name="email"]')).toHaveAccessibleDescription('Email is invalid')
  await expect(page.locator('#field-phone-message')).toBeVisible()
  await expect(page.locator('#field-firstName-message')).toBeHidden()
  for (const { id, requiredAnswer } of questions) {
    await expect(page.locator(`input[name="question-${id}"][value="${requiredAnswer ? 'yes' : 'no'}"]`)).toBeChecked()
  }
  await type(visitor, { email: margaret.email, phone: margaret.phone })
  await press(visitor)
  await page.waitForURL('**/thank-you')
  const [lead] = await storedLeads(site.dataDir)
  expect(lead).toMatchObject({ last_name: typed.lastName, page: '/advertorial', campaign: '{"utm_campaign":"spring"}' })
  watched.consoleMessages.length = 0
})

test('unanswered questions are asked for', async ({ visitor, page, watched }) => {
  await visitor.open('/')
  await type(visitor, margaret)
  await press(visitor)
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(questions.map(({ text }) => text))
  await expect(page.getByRole('group').first()).toHaveAccessibleDescription('Please answer this question')
  watched.consoleMessages.length = 0
})

test('the form again has no accessibility violation and is not cut off at 320 px', async ({
  visitor,
  page,
  watched,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await visitor.open('/')
  await press(visitor)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is a problem')
  const box = await page.locator('form').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
  watched.consoleMessages.length = 0
})
