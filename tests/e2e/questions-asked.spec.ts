/** Path: the questions one after the other, or in the plain form → the version that is sent is that of the words on the screen. */
import { createHash } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { questions } from '../../content/questions.ts'
import { expect, homes, test } from './visitor.ts'

/** As domain/questions-as-asked.ts presents them, from what was read. */
function versionOf(texts: readonly string[], yes: string, no: string): string {
  const asked = questions.map(({ id, required }, index) => ({ id, question: texts[index], answer: required }))
  return createHash('sha256')
    .update(JSON.stringify({ questions: asked, yes, no }))
    .digest('hex')
}

/** With all that styles and line breaks do to a text. */
async function read(element: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is read is what counts, not what stands in the page
  return (await element.innerText()).trim()
}

for (const { name, path } of homes) {
  test(`${name}: the version sent with the lead is that of the questions and answers on the screen`, async ({
    visitor,
    page,
    site,
  }) => {
    await visitor.open(path)
    const texts: string[] = []
    const answers = { yes: new Set<string>(), no: new Set<string>() }
    for (const [index, { required }] of questions.entries()) {
      const heading = page.locator('#question')
      await expect(heading).toContainText(`Question ${index + 1} of ${questions.length}`)
      texts.push((await read(heading)).replace(/^Question \d of \d\s*/, ''))
      for (const answer of ['yes', 'no'] as const)
        answers[answer].add(await read(page.locator(`[data-answer=${answer}]`)))
      await page.locator(`[data-answer=${required}]`).click()
    }
    await visitor.fillIn()
    await visitor.submit()
    const [yes, no] = [[...answers.yes].join(), [...answers.no].join()]
    await expect.poll(() => site.receiver.leads[0]?.headers['x-questionnaire-version']).toBe(versionOf(texts, yes, no))
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const { name, path } of homes) {
    test(`${name}: the version in the form is that of the questions and answers in it`, async ({ visitor, page }) => {
      await visitor.open(path)
      const fields = page.locator('form fieldset')
      const texts = await Promise.all((await fields.locator('legend').all()).map(read))
      const [yes = '', no = ''] = await Promise.all((await fields.first().locator('label').all()).map(read))
      await expect(page.locator('input[name=questionnaireVersion]')).toHaveValue(versionOf(texts, yes, no))
    })
  }
})
