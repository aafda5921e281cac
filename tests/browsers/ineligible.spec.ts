/** Path: / → one wrong answer → loading → /decline; nothing is stored, and going back starts over. */
import { decline } from '../../content/decline.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { expect, storedLeads, test } from './visitor.ts'

test('an ineligible visitor finds out after the last question', async ({ visitor, site }) => {
  await visitor.open('/')
  await visitor.answerAll({ wrongly: [3] })
  await visitor.sees(questionnaire.loading)
  await visitor.arrivesAt('/decline')
  await visitor.sees(decline.heading)
  expect(await storedLeads(site)).toEqual([])
  await visitor.goBack()
  await visitor.seesQuestion(1)
})
