/** Path: / → one other answer → loading → /decline; nothing is stored, and going back starts afresh. */
import { decline } from '../../content/decline.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { expect, storedLeads, test } from './visitor.ts'

test('an ineligible visitor learns it after the last question, and is sent on', async ({ visitor, site }) => {
  await visitor.open('/')
  await visitor.answerAll({ wrongly: [3] })
  await visitor.sees(questionnaire.loading)
  await visitor.arrivesAt('/decline')
  await visitor.sees(decline.heading)
  expect(await storedLeads(site)).toEqual([])
  await visitor.browser.goBack()
  await visitor.seesQuestion(1)
})
