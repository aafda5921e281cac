/** Path: any of the forms → the consent as a visitor reads it is the consent whose version is sent and stored. */
import { createHash } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { plainForm } from '../../content/panel/questionnaire.ts'
import { expect, FAILED_REQUEST, homes, test, testWithStore } from './visitor.ts'

/** With all that styles and line breaks do to a text. */
function rendered(element: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is read is what counts, not what stands in the page
  return element.innerText()
}

/** As domain/consent.ts presents it, from what stands on the screen. */
async function versionAsSeen(form: Locator): Promise<string> {
  const consent = form.locator('[data-tf-element-role=consent-language]')
  const button = form.locator('button[type=submit]')
  await expect(consent).toBeVisible()
  await expect(button).toBeVisible()
  const presented = JSON.stringify({ text: await rendered(consent), button: await rendered(button) })
  return createHash('sha256').update(presented).digest('hex')
}

for (const { name, path } of homes) {
  test(`${name}: the version sent with the lead is that of the text and the button on the screen`, async ({
    visitor,
    page,
    site,
  }) => {
    await visitor.reachContact(path)
    const seen = await versionAsSeen(page.locator('form'))
    await visitor.fillIn()
    await visitor.submit()
    await expect.poll(() => site.receiver.leads[0]?.headers['x-consent-version']).toBe(seen)
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const { name, path } of homes) {
    test(`${name}: the version in the form is that of the text and the button on the screen`, async ({
      visitor,
      page,
    }) => {
      await visitor.open(path)
      const seen = await versionAsSeen(page.locator('form'))
      await expect(page.locator('input[name=consentVersion]')).toHaveValue(seen)
    })
  }

  testWithStore('the form shown again with its errors has the same consent', async ({ visitor, page, watched }) => {
    await visitor.open('/')
    await page.locator('button[type=submit]').click()
    await expect(page).toHaveTitle(plainForm.problem.title)
    const seen = await versionAsSeen(page.locator('form'))
    await expect(page.locator('input[name=consentVersion]')).toHaveValue(seen)
    watched.allow({ console: FAILED_REQUEST })
  })
})
