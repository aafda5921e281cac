/** Without JavaScript: the plain form, the same form with errors, and what happens when the lead can't be stored. */
import { renameSync } from 'node:fs'
import { submissionError } from '../../content/errors.ts'
import { landing } from '../../content/landing.ts'
import { organization } from '../../content/organization.ts'
import { consent, contactMessages } from '../../content/panel/contact-form.ts'
import { plainForm } from '../../content/panel/questionnaire.ts'
import { questions } from '../../content/questions.ts'
import { consentAsPresented } from '../../domain/as-presented.ts'
import { versionOf } from '../../server/store/presented.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { asked } from '../support/answers.ts'
import { expectNoViolations } from './axe.ts'
import { expect, FAILED_REQUEST, margaret, sha256, shownText, testWithStore as test, type Visitor } from './visitor.ts'

test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })
test.beforeEach(({ watched }) => watched.allow({ console: FAILED_REQUEST }))

async function choose({ page }: Visitor) {
  for (const { number, requiredAnswer } of asked)
    await page.locator(`input[name="question-${number}"][value="${requiredAnswer ? 'yes' : 'no'}"]`).check()
}

/** By the names of the inputs. */
function inputs({ dateOfBirth, ...contact }: Partial<typeof margaret>): Readonly<Record<string, string>> {
  if (!dateOfBirth) return contact
  const [year = '', month = '', day = ''] = dateOfBirth.split('-')
  return { ...contact, 'dateOfBirth-month': month, 'dateOfBirth-day': day, 'dateOfBirth-year': year }
}

async function type({ page }: Visitor, contact: Partial<typeof margaret>) {
  for (const [name, value] of Object.entries(inputs(contact))) await page.locator(`input[name="${name}"]`).fill(value)
}

async function expectTyped({ page }: Visitor, contact: typeof margaret) {
  for (const [name, value] of Object.entries(inputs(contact)))
    await expect(page.locator(`input[name="${name}"]`)).toHaveValue(value)
}

const press = ({ page }: Visitor) => page.locator('button[type=submit]').click()
/** The versions in the form match the text on the screen. */
async function expectVersionsAsSeen({ page }: Visitor) {
  const form = page.locator('form')
  const text = await shownText(form.locator('[data-tf-element-role=consent-language]'))
  const button = await shownText(form.locator('button[type=submit]'))
  await expect(page.locator('input[name=consentVersion]')).toHaveValue(sha256({ text, button }))
  const fields = form.locator('fieldset')
  const labels = await Promise.all((await fields.locator('legend').all()).map(shownText))
  const [yes = '', no = ''] = await Promise.all((await fields.first().locator('label').all()).map(shownText))
  const shown = questions.map(({ id, required }, index) => ({ id, question: labels[index], answer: required }))
  await expect(page.locator('input[name=questionnaireVersion]')).toHaveValue(sha256({ questions: shown, yes, no }))
}

test('the form shows errors next to the fields, keeps the input, and is stored once corrected', async ({
  visitor,
  page,
  site,
}) => {
  await visitor.open('/')
  await page.getByText(landing.faq.items[0]?.question ?? '').click()
  await expect(page.locator('details[open]')).toHaveCount(1)
  await page.getByRole('button', { name: landing.howItWorks.cta }).click()
  await expect(visitor.panel).toBeInViewport()
  await expectVersionsAsSeen(visitor)
  await type(visitor, margaret)
  await press(visitor)
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(asked.map(({ text }) => text))
  await expect(page.getByRole('group').first()).toHaveAccessibleDescription(plainForm.unanswered)

  const typed = { ...margaret, lastName: '"><script>alert(1)</script>{{value:email}}', email: 'margaret@', phone: '' }
  await visitor.open('/advertorial?utm_campaign=spring')
  await expectVersionsAsSeen(visitor)
  await choose(visitor)
  await type(visitor, typed)
  await press(visitor)
  await expect(page).toHaveTitle(plainForm.problem.title)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(plainForm.problem.heading)
  await expectVersionsAsSeen(visitor)
  await expect(page.getByRole('alert').getByRole('link')).toHaveText([
    contactMessages.emailInvalid,
    contactMessages.phoneRequired,
  ])
  await expectTyped(visitor, typed)
  await expect(page.locator('input[name="email"]')).toHaveAccessibleDescription(contactMessages.emailInvalid)
  await expect(page.locator('#field-phone-message')).toBeVisible()
  await expect(page.locator('#field-firstName-message')).toBeHidden()
  await expect(page.locator('input:checked')).toHaveCount(asked.length)
  const box = await page.locator('form').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0), 'not cut off at 320 px').toBeLessThanOrEqual(320)

  await type(visitor, { email: margaret.email, phone: margaret.phone })
  await press(visitor)
  await page.waitForURL('**/thank-you')
  const [lead] = site.storedLeads()
  expect(lead).toMatchObject({ lastName: typed.lastName, page: '/advertorial', campaign: '{"utm_campaign":"spring"}' })
})

test.describe('with JavaScript, which axe needs', () => {
  test.use({ javaScriptEnabled: true, bypassCSP: true })
  test('the form with errors is accessible', async ({ visitor, page }) => {
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
  })
})

test('a store that refuses writes is a submission error; the form is still filled in and can be sent again', async ({
  visitor,
  page,
  site,
}) => {
  await visitor.open('/')
  await choose(visitor)
  await type(visitor, margaret)
  const store = storeFile(site.dataDir)
  renameSync(store, `${store}.aside`)
  const [answer] = await Promise.all([page.waitForResponse('**/api/leads'), press(visitor)])
  expect(answer.status()).toBe(503)
  await expect(page).toHaveTitle(submissionError.title)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(submissionError.heading)
  await expect(page.getByText(submissionError.text)).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: organization.phone })).toBeVisible()
  await page.goBack()
  await expectTyped(visitor, margaret)
  renameSync(`${store}.aside`, store)
  await press(visitor)
  await page.waitForURL('**/thank-you')
  expect(site.storedLeads()).toMatchObject([{ email: margaret.email }])
})
