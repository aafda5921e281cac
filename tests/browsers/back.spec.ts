/** The browser's Back button and the Back link, in every browser. */
import { contactForm } from '../../content/en/contact-form.ts'
import { decline } from '../../content/en/decline.ts'
import { questionnaire } from '../../content/en/questionnaire.ts'
import { allQuestions } from '../support/answers.ts'
import { answerButton, eventually, expect, field, ruth, SUBMIT, test, type Visitor } from './visitor.ts'

const earlierAnswers = (visitor: Visitor) =>
  visitor.evaluate(() => Array.from(document.querySelectorAll('[aria-pressed=true]'), button => button.textContent))

const wordFor = (requiredAnswer: boolean) => (requiredAnswer ? questionnaire.yes : questionnaire.no)

test('Back shows the previous question with its answer, from the form and from every question', async ({
  visitor,
  site,
}) => {
  await visitor.open('/?utm_source=ad')
  await visitor.answerAll()
  await visitor.sees(contactForm.lead)
  await visitor.fillIn({ firstName: ruth.firstName, dateOfBirth: ruth.dateOfBirth })
  for (const { number, requiredAnswer } of allQuestions.toReversed()) {
    await visitor.goBackOnPage()
    await visitor.seesQuestion(number)
    await eventually(() => earlierAnswers(visitor), `the answer to question ${number}`).toEqual([
      wordFor(requiredAnswer),
    ])
  }
  await visitor.answerAll()
  await visitor.sees(contactForm.lead)
  // A hidden form keeps even the date of birth, which drafts don't.
  expect(await visitor.value(field('firstName'))).toBe(ruth.firstName)
  expect(await visitor.value('[name=dateOfBirth-year]')).toBe('1965')
  const { firstName, dateOfBirth, ...others } = ruth
  await visitor.fillIn(others)
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')

  await visitor.goBack()
  await visitor.arrivesAt('/')
  await visitor.sees(questionnaire.sent.heading)
  // The tab remembers that a lead was sent, and nothing about it.
  const kept = await visitor.evaluate(() => Object.values(sessionStorage).join())
  expect(JSON.parse(`${kept}`)).toMatchObject({ stage: 'sent', answers: [], contact: {} })
  expect(site.storedLeads()).toMatchObject([{ ...ruth, campaign: '{"utm_source":"ad"}' }])
})

test('the Back link corrects an answer, even after a reload; a wrong one leads to /decline, and going back starts over', async ({
  visitor,
  site,
}) => {
  await visitor.open('/')
  await visitor.press(answerButton(true))
  await visitor.seesQuestion(2)
  await visitor.press(answerButton(false))
  await visitor.seesQuestion(3)
  await visitor.press('[data-back]')
  await visitor.seesQuestion(2)
  await visitor.reload()
  await visitor.seesQuestion(2)
  await eventually(() => earlierAnswers(visitor)).toEqual([questionnaire.no])
  await visitor.answerAll({ from: 2 })
  await visitor.sees(contactForm.lead)
  await visitor.press('[data-back]')
  await visitor.seesQuestion(6)
  await visitor.press(answerButton(false))
  await visitor.sees(questionnaire.loading)
  await visitor.arrivesAt('/decline')
  await visitor.sees(decline.heading)
  expect(site.storedLeads()).toEqual([])
  await visitor.goBack()
  await visitor.seesQuestion(1)
})
