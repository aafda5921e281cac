/** Path: / or /advertorial without JavaScript → the plain form → /thank-you, /decline, or the form again with its errors. */

import { renameSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { submissionError } from '../../content/errors.ts'
import { organization } from '../../content/organization.ts'
import { consent, contactMessages } from '../../content/panel/contact-form.ts'
import { plainForm } from '../../content/panel/questionnaire.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { versionOf } from '../../server/presented-version.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { asked } from '../support/answers.ts'
import { expectNoViolations } from './axe.ts'
import { expect, FAILED_REQUEST, margaret, storedLeads, testWithStore as test, type Visitor } from './visitor.ts'

test.use({ javaScriptEnabled: false })

async function choose(visitor: Visitor, wrongly: readonly number[] = []) {
  for (const { number, requiredAnswer } of asked) {
    const yes = wrongly.includes(number) ? !requiredAnswer : requiredAnswer
    await visitor.page.locator(`input[name="question-${number}"][value="${yes ? 'yes' : 'no'}"]`).check()
  }
}

/** What the inputs are named, and what they hold for this contact. */
function inputs({ dateOfBirth, ...contact }: Partial<typeof margaret>): Readonly<Record<string, string>> {
  if (!dateOfBirth) return contact
  const [year = '', month = '', day = ''] = dateOfBirth.split('-')
  return { ...contact, 'dateOfBirth-month': month, 'dateOfBirth-day': day, 'dateOfBirth-year': year }
}

async function type(visitor: Visitor, contact: Partial<typeof margaret>) {
  for (const [name, value] of Object.entries(inputs(contact))) {
    await visitor.page.locator(`input[name="${name}"]`).fill(value)
  }
}

const press = (visitor: Visitor) => visitor.page.locator('button[type=submit]').click()

test('what is missing is told beside its field, and everything entered is kept', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  const typed = { ...margaret, lastName: '"><script>alert(1)</script>{{value:email}}', email: 'margaret@', phone: '' }
  await visitor.open('/advertorial?utm_campaign=spring')
  await choose(visitor)
  await type(visitor, typed)
  await press(visitor)
  await expect(page).toHaveTitle(plainForm.problem.title)
  await expect(page.getByRole('alert').getByRole('link')).toHaveText([
    contactMessages.emailInvalid,
    contactMessages.phoneRequired,
  ])
  for (const [name, value] of Object.entries(inputs(typed)))
    await expect(page.locator(`input[name="${name}"]`)).toHaveValue(value)
  await expect(page.locator('input[name="email"]')).toHaveAccessibleDescription(contactMessages.emailInvalid)
  await expect(page.locator('#field-phone-message')).toBeVisible()
  await expect(page.locator('#field-firstName-message')).toBeHidden()
  for (const { number, requiredAnswer } of asked) {
    await expect(
      page.locator(`input[name="question-${number}"][value="${requiredAnswer ? 'yes' : 'no'}"]`),
    ).toBeChecked()
  }
  await type(visitor, { email: margaret.email, phone: margaret.phone })
  await press(visitor)
  await page.waitForURL('**/thank-you')
  const [lead] = await storedLeads(site)
  expect(lead).toMatchObject({ lastName: typed.lastName, page: '/advertorial', campaign: '{"utm_campaign":"spring"}' })
  watched.allow({ console: FAILED_REQUEST })
})

test('unanswered questions are asked for', async ({ visitor, page, watched }) => {
  await visitor.open('/')
  await type(visitor, margaret)
  await press(visitor)
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(asked.map(({ text }) => text))
  await expect(page.getByRole('group').first()).toHaveAccessibleDescription(plainForm.unanswered)
  watched.allow({ console: FAILED_REQUEST })
})

test('the form again is not cut off at 320 px', async ({ visitor, page, watched }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await visitor.open('/')
  await press(visitor)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(plainForm.problem.heading)
  const box = await page.locator('form').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
  watched.allow({ console: FAILED_REQUEST })
})

test.describe('with JavaScript, which axe needs', () => {
  test.use({ javaScriptEnabled: true, bypassCSP: true })
  test('the form again has no accessibility violation', async ({ visitor, page, watched }) => {
    await visitor.open('/thank-you')
    await page.evaluate(
      value => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action: '/api/leads' })
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'consentVersion', value }))
        document.body.append(form)
        form.submit()
      },
      versionOf(consentAsPresented(consent)),
    )
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(plainForm.problem.heading)
    await expectNoViolations(page)
    watched.allow({ console: FAILED_REQUEST })
  })
})

/** What a visitor sees whose form was not taken, and that going back loses nothing of it. */
async function expectSubmissionError(visitor: Visitor, page: Page, status: number) {
  const [answer] = await Promise.all([page.waitForResponse('**/api/leads'), press(visitor)])
  expect(answer.status()).toBe(status)
  await expect(page).toHaveTitle(submissionError.title)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(submissionError.heading)
  await expect(page.getByText(submissionError.text)).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: organization.phone })).toBeVisible()
  await page.goBack()
  for (const [name, value] of Object.entries(inputs(margaret))) {
    await expect(page.locator(`input[name="${name}"]`)).toHaveValue(value)
  }
}

test('a store that takes no writes is a Submission Error; the form is still filled in, and can be sent again', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  await visitor.open('/')
  await choose(visitor)
  await type(visitor, margaret)
  const store = storeFile(site.dataDir)
  renameSync(store, `${store}.aside`)
  await expectSubmissionError(visitor, page, 503)
  renameSync(`${store}.aside`, store)
  await press(visitor)
  await page.waitForURL('**/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ email: margaret.email }])
  watched.allow({ console: FAILED_REQUEST })
})

test('too many leads from one address are a Submission Error, and the form is still filled in', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  const headers = { 'x-consent-version': versionOf(consentAsPresented(consent)) }
  const send = (index: number) =>
    fetch(`${site.url}/api/leads?${leadQuery({ ...margaret, email: `m${index}@example.org` })}`, { headers })
  await Promise.all(Array.from({ length: 60 }, (_, index) => send(index)))
  await visitor.open('/advertorial')
  await choose(visitor)
  await type(visitor, margaret)
  await expectSubmissionError(visitor, page, 429)
  expect(await storedLeads(site)).toHaveLength(60)
  watched.allow({ console: FAILED_REQUEST })
})
