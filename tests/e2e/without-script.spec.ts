/** The plain form without JavaScript. tests/browsers/without-script.spec.ts covers every browser. */

import { renameSync } from 'node:fs'
import { consentAsPresented } from '../../domain/leads/as-presented.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { askedIn, organization, words } from '../../site-folder/site.ts'
import { allQuestions } from '../support/answers.ts'
import { callsToAction, faqQuestions } from '../support/content.ts'
import { expectNoViolations } from './page-checks.ts'
import { expect, FAILED_REQUEST, margaret, sha256, shownText, test, type Visitor } from './visitor.ts'

const questions = askedIn(words.en.questions)
const { consent, submissionError, plainForm } = words.en

test.use({ ownStore: true, javaScriptEnabled: false, viewport: { width: 320, height: 640 } })
test.beforeEach(({ watched }) => watched.allow(FAILED_REQUEST))

const [year, month, day] = margaret.dateOfBirth.split('-') as [string, string, string]
const { dateOfBirth: _, ...others } = margaret
const typed = Object.entries({
  ...others,
  'dateOfBirth-month': month,
  'dateOfBirth-day': day,
  'dateOfBirth-year': year,
})

/** The versions in the form match the text on the screen. */
async function expectVersionsAsShown({ page }: Visitor) {
  const form = page.locator('form')
  const notice = await shownText(form.locator('#notice'))
  const button = await shownText(form.locator('button[type=submit]'))
  const text = await shownText(form.locator('[data-tf-element-role=consent-language]'))
  await expect(page.locator('input[name=consentVersion]')).toHaveValue(sha256({ notice, button, text }))
  const fields = form.locator('fieldset')
  const labels = await Promise.all((await fields.locator('legend').all()).map(shownText))
  const [yes = '', no = ''] = await Promise.all((await fields.first().locator('label').all()).map(shownText))
  const shown = questions.map(({ id, required }, index) => ({ id, question: labels[index], answer: required }))
  await expect(page.locator('input[name=questionnaireVersion]')).toHaveValue(sha256({ questions: shown, yes, no }))
}

test('the form has the versions of its text, keeps input when the store fails, lists unanswered questions, and declines', async ({
  visitor,
  page,
  site,
}) => {
  const input = (name: string) => page.locator(`input[name="${name}"]`)
  const type = async () => {
    for (const [name, value] of typed) await input(name).fill(value)
  }
  const choose = async (wrongly: readonly number[] = []) => {
    for (const { number, requiredAnswer } of allQuestions) {
      const yes = wrongly.includes(number) ? !requiredAnswer : requiredAnswer
      await page.locator(`input[name="question-${number}"][value="${yes ? 'yes' : 'no'}"]`).check()
    }
  }
  const submit = () => page.locator('button[type=submit]').click()
  await visitor.open('/')
  for (const question of faqQuestions.slice(0, 1)) {
    await page.getByText(question).click()
    await expect(page.locator('details[open]')).toHaveCount(1)
  }
  for (const name of callsToAction.slice(0, 1)) {
    await page.getByRole('button', { name }).first().click()
    await expect(visitor.panel).toBeInViewport()
  }
  await expectVersionsAsShown(visitor)
  await type()
  await choose()
  const store = storeFile(site.dataDir)
  renameSync(store, `${store}.aside`)
  const [response] = await Promise.all([page.waitForResponse('**/api/leads'), submit()])
  expect(response.status()).toBe(503)
  await expect(page).toHaveTitle(submissionError.title)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(submissionError.heading)
  await expect(page.getByRole('main').getByRole('link', { name: organization.phone })).toBeVisible()
  renameSync(`${store}.aside`, store)
  await page.goBack()
  for (const [name, value] of typed) await expect(input(name)).toHaveValue(value)

  await visitor.open('/advertorial')
  await expectVersionsAsShown(visitor)
  await type()
  await submit()
  await expect(page).toHaveTitle(plainForm.problem.title)
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(allQuestions.map(({ text }) => text))
  await expect(page.getByRole('group').first()).toHaveAccessibleDescription(plainForm.unanswered)
  await expectVersionsAsShown(visitor)
  const box = await page.locator('form').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0), 'not cut off at 320 px').toBeLessThanOrEqual(320)
  await choose()
  await submit()
  await page.waitForURL('**/thank-you')

  await visitor.open('/')
  await type()
  await choose([5])
  await submit()
  await page.waitForURL('**/decline')
  // All reasons, folded: only a script can tell which apply.
  await expect(page.locator('details').filter({ visible: true })).toHaveCount(allQuestions.length)
  await expect(page.locator('details[open]')).toHaveCount(0)
  expect(site.storedLeads()).toMatchObject([{ email: margaret.email, page: '/advertorial' }])
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
