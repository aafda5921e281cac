/** The contact form: what it sends, and how it handles mistakes and failures without losing input. */

import { fill } from '../../domain/text/fill.ts'
import { delays } from '../../domain/visits/delays.ts'
import { askedIn, words } from '../../site-folder/site.ts'
import { allQuestions, yearOfBirth } from '../support/answers.ts'
import {
  expect,
  FAILED_REQUEST,
  margaret,
  SUBMIT,
  sha256,
  shownText,
  startingWith,
  test,
  type Visitor,
} from './visitor.ts'

const questions = askedIn(words.en.questions)
const { contactForm, contactMessages, offlineHelp, submissionFailedHelp, toasts, landing, questionnaire, thankYou } =
  words.en

/** Answers the questions and returns the version of the text on the screen. */
async function answerAsShown(visitor: Visitor): Promise<string> {
  const { page } = visitor
  const asked: { id: string; question: string; answer: string }[] = []
  const [yes, no] = await Promise.all(['yes', 'no'].map(answer => shownText(page.locator(`[data-answer=${answer}]`))))
  for (const [index, { id, required }] of questions.entries()) {
    const heading = page.locator('#question')
    await expect(heading).toContainText(`Question ${index + 1} of ${questions.length}`)
    asked.push({ id, question: (await shownText(heading)).replace(/^Question \d of \d\s*/, ''), answer: required })
    await visitor.answer(required === 'yes')
    await page.clock.runFor(500)
  }
  return sha256({ questions: asked, yes, no })
}

for (const path of ['/', '/advertorial']) {
  test(`${path}: the lead is sent with the versions of the text on the screen, and /thank-you follows 2000 ms later`, async ({
    visitor,
    page,
    context,
    site,
  }) => {
    await visitor.start(`${path}?utm_campaign=spring`)
    const questionnaireVersion = await answerAsShown(visitor)
    await expect(visitor.panel.getByText(contactForm.heading)).toBeVisible()
    await expect(visitor.panel.getByText(contactForm.lead)).toBeVisible()
    await expect(visitor.panel.getByText('100% complete')).toBeVisible()
    const notice = await shownText(page.locator('#notice'))
    const button = await shownText(visitor.submitButton)
    const text = await shownText(page.locator('form [data-tf-element-role=consent-language]'))
    await expect(visitor.submitButton).toHaveAccessibleDescription(notice)
    await page.locator('#notice a').click()
    await expect(page.locator('#consent')).toBeInViewport()
    await visitor.fillIn()
    await visitor.stopTime()
    await visitor.submit()
    await visitor.leadHandled()

    const [lead, ...others] = site.webhook.deliveries
    expect(others).toEqual([])
    expect(lead).toMatchObject({ method: 'GET', path: '/api/leads', query: margaret })
    expect(lead?.headers).toMatchObject({
      accept: 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-consent-version': sha256({ notice, button, text }),
      'x-questionnaire-version': questionnaireVersion,
      referer: `${site.url}${path}?utm_campaign=spring`,
    })
    const loading = visitor.panel.getByText(questionnaire.loading)
    if (path === '/') {
      // Typing while waiting must not recreate the draft.
      await visitor.field('firstName').fill('Somebody else')
      await expect(visitor.submitButton).toBeDisabled()
    } else {
      await expect(loading).toBeFocused()
      await expect(loading).toBeInViewport()
      await expect(visitor.button(SUBMIT)).toBeHidden()
    }
    // The tab remembers that a lead was sent, and the number for the thank-you page.
    const kept = Object.keys(JSON.parse(await visitor.draft()))
    expect(kept.toSorted()).toEqual(['expires', 'phone', 'stage', 'version'])
    await page.clock.runFor(1990)
    if (path === '/') await expect(visitor.submitButton).toHaveText(contactForm.submitting)
    else await expect(loading).toBeVisible()
    await page.clock.runFor(20)
    await page.waitForURL(`${site.url}/thank-you?utm_campaign=spring`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(thankYou.headline)
    await expect(page.getByText(thankYou.sentLead)).toBeVisible()
    await expect(page.getByText(thankYou.lead)).toBeHidden()

    // The rest is the same script.
    if (path !== '/') return
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goBack()
    await expect(visitor.panel.getByText(questionnaire.sent.heading)).toBeInViewport({ ratio: 1 })
    const link = visitor.panel.getByRole('link', { name: questionnaire.sent.link })
    await expect(link).toHaveAttribute('href', '/thank-you')
    await visitor.button(questionnaire.startOver).click()
    await expect(visitor.question(1)).toBeVisible()

    const otherTab = await context.newPage()
    await otherTab.goto(`${site.url}/thank-you`)
    await expect(otherTab.getByText(thankYou.lead)).toBeVisible()
    await expect(otherTab.getByText(thankYou.sentLead)).toBeHidden()
  })
}

test('repeated clicks send only one lead', async ({ visitor, page, site }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  const certificate = 'https://cert.trustedform.com/def'
  await page.locator('[name=xxTrustedFormCertUrl]').evaluate((field, value) => {
    ;(field as HTMLInputElement).value = value
  }, certificate)
  const respond = site.webhook.hold()
  await page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('button[type=submit]')
    for (let click = 0; click < 20; click++) button?.click()
    button?.form?.requestSubmit()
    button?.focus()
  })
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await expect(visitor.panel.getByRole('status').filter({ hasText: contactForm.sending })).toHaveCount(1)
  await expect(visitor.submitButton).toBeFocused()
  await expect(visitor.submitButton).toBeDisabled()
  await page.keyboard.press('Enter')
  await visitor.submitButton.dispatchEvent('click')
  await visitor.field('email').press('Enter')
  respond(202)
  await visitor.waitForRedirect('/thank-you')
  expect(site.webhook.deliveries.map(({ query }) => query)).toEqual([
    { ...margaret, xxTrustedFormCertUrl: certificate },
  ])
})

const UNCOVERED = 'h1, progress, form label, form input'

test('an empty submission focuses the first field and shows a toast for 4000 ms', async ({ visitor, page, site }) => {
  await visitor.reachContact()
  // On a phone, the form fills the screen; the page keeps its heading for screen readers.
  await expect(visitor.field('firstName')).toBeInViewport({ ratio: 1 })
  await expect(visitor.field('email')).toBeInViewport({ ratio: 1 })
  await expect(page.getByText(landing.hero.lead)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)

  await visitor.stopTime()
  const title = await page.title()
  await visitor.submit()
  // Every message is checked in tests/browsers/contact-form.spec.ts.
  await expect(visitor.field('email')).toHaveAccessibleDescription(startingWith(contactMessages.emailRequired))
  for (const input of [visitor.field('email'), visitor.dateBox('month')])
    await expect(input).toHaveAttribute('aria-invalid', 'true')
  await expect(visitor.field('firstName')).toBeFocused()
  await expect(visitor.field('firstName')).toBeInViewport({ ratio: 1 })
  await expect(page).toHaveTitle(contactForm.errorTitlePrefix + title)
  const toast = visitor.toast(toasts.incomplete.title)
  await expect(toast).toBeVisible()
  await expect(visitor.toast(toasts.incomplete.text)).toBeVisible()
  await expect.poll(() => visitor.coveredByToast(UNCOVERED)).toEqual([])
  expect(await visitor.coveredByToast('header a[href^=tel]')).toEqual([])
  await expect(visitor.panel.getByRole('link', { name: contactForm.noEmail })).toHaveAttribute('href', /^tel:/)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => visitor.coveredByToast(UNCOVERED)).toEqual([])
  await page.clock.runFor(3980)
  await expect(toast).toBeVisible()
  await page.clock.runFor(40)
  await expect(toast).toBeHidden()
  await expect(visitor.panel.getByText(contactMessages.emailRequired)).toBeVisible()
  expect(site.webhook.deliveries).toHaveLength(0)

  await test.step('dismissing a toast returns focus to the field', async () => {
    for (const way of ['pointer', 'keyboard']) {
      await visitor.submit()
      await expect(visitor.field('firstName')).toBeFocused()
      const dismiss = page.getByRole('button', { name: toasts.dismiss })
      if (way === 'pointer') await dismiss.click()
      else await dismiss.press('Enter')
      await expect(toast).toHaveCount(0)
      await expect(visitor.field('firstName')).toBeFocused()
    }
  })
  await test.step('at most three toasts are visible, and a focused one stays', async () => {
    for (let click = 0; click < 5; click++) await visitor.submit()
    await expect(toast).toHaveCount(3)
    await page.getByRole('button', { name: toasts.dismiss }).last().focus()
    await page.clock.runFor(10_000)
    await expect(toast).toHaveCount(1)
  })
  await test.step('the toast closes only when the last invalid field is corrected', async () => {
    await visitor.fillIn({ email: 'margaret@', phone: '555' })
    await visitor.dateBox('day').fill('')
    await visitor.submit()
    // For an incomplete date, focus goes to the empty box, not the first one.
    await expect(visitor.dateBox('day')).toBeFocused()
    await expect(visitor.field('dateOfBirth')).toHaveAccessibleDescription(
      startingWith(contactMessages.dateOfBirthRequired),
    )
    await visitor.dateBox('day').fill('12')
    await expect(visitor.panel.getByText(contactMessages.dateOfBirthRequired)).toBeHidden()
    await visitor.field('email').fill(margaret.email)
    await expect(toast.first()).toBeVisible()
    await visitor.field('phone').fill(margaret.phone)
    await expect(toast).toHaveCount(0)
  })
})

test('offline from the first answer, after errors, or without a response, all input is kept and can be sent again', async ({
  visitor,
  page,
  context,
  site,
  watched,
}) => {
  watched.allow(FAILED_REQUEST)
  const alert = visitor.panel.getByRole('alert')
  const toast = visitor.toast(toasts.submissionFailed.title)
  await visitor.start()
  await visitor.answerAll({ to: 1 })
  await context.setOffline(true)
  await visitor.answerAll({ from: 2 })
  await visitor.fillIn()
  await visitor.stopTime()
  await visitor.submit()
  await expect(alert).toContainText(offlineHelp)
  await expect(alert).toContainText(toasts.submissionFailed.text)
  expect(new URL(page.url()).pathname).toBe('/')
  await context.setOffline(false)

  const fail = site.webhook.hold()
  await visitor.submit()
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  // Back while it's being sent would hide what happened, so the page comes right back.
  await page.evaluate(async () => {
    const moved = () => new Promise(resolve => addEventListener('popstate', resolve, { once: true }))
    history.back()
    for (const _ of ['back', 'forward']) await moved()
  })
  expect(await page.evaluate(() => history.state.depth)).toBe(allQuestions.length)
  fail(503)
  await expect(toast).toBeVisible()
  await expect(alert).toContainText(toasts.submissionFailed.text)
  await expect(alert).not.toContainText(offlineHelp)
  await expect(visitor.toast(toasts.submissionFailed.text)).toBeVisible()
  await expect(visitor.button(SUBMIT)).toBeFocused()

  // A retry clears the toast and the alert.
  const respond = site.webhook.hold()
  await visitor.submit()
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await expect(toast).toHaveCount(0)
  await expect(alert).toHaveText('')
  respond(500)
  await expect(toast).toBeVisible()
  await page.clock.runFor(5000)
  await expect(toast).toBeHidden()

  // A proxy's page isn't our server's answer, even if it says that all is well.
  for (const [status, body] of [
    [200, '<p>Welcome'],
    [200, '{"status":"accepted"}'],
    [202, '<p>Welcome'],
    [202, '{}'],
  ] as const) {
    await page.route('**/api/leads?*', route => route.fulfill({ status, body }), { times: 1 })
    await visitor.submit()
    await expect(toast).toBeVisible()
    await page.clock.runFor(5000)
    await expect(toast).toBeHidden()
    expect(new URL(page.url()).pathname).toBe('/')
  }

  site.webhook.behave = () => 'resets'
  await visitor.submit()
  await expect(alert).toContainText(toasts.submissionFailed.title)
  await expect(visitor.panel.getByText(submissionFailedHelp)).toBeInViewport()
  await expect(visitor.button(SUBMIT)).toBeEnabled()
  await expect(visitor.field('email')).toHaveValue(margaret.email)

  site.webhook.behave = () => 'hangs'
  await visitor.submit()
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await page.clock.runFor(delays.leadRequest - 10)
  await expect(alert).toHaveText('')
  await page.clock.runFor(20)
  await expect(alert).toContainText(toasts.submissionFailed.title)
  await expect(visitor.button(SUBMIT)).toBeEnabled()

  site.webhook.behave = () => ({ status: 202 })
  await visitor.submit()
  await visitor.waitForRedirect('/thank-you')
  expect(site.webhook.deliveries.at(-1)?.query).toEqual(margaret)
})

test('the date of birth is a group of three numeric boxes; a date typed into one or pasted fills all three', async ({
  visitor,
  site,
}) => {
  await visitor.reachContact()
  const { label, parts } = contactForm.fields.dateOfBirth
  await expect(visitor.field('dateOfBirth')).toMatchAriaSnapshot(`
    - group ${JSON.stringify(label)}:
      - textbox ${JSON.stringify(parts?.month)}
      - textbox ${JSON.stringify(parts?.day)}
      - textbox ${JSON.stringify(parts?.year)}
  `)
  for (const part of ['month', 'day', 'year'] as const) {
    await expect(visitor.dateBox(part)).toHaveAttribute('inputmode', 'numeric')
    await expect(visitor.dateBox(part)).toHaveAttribute('autocomplete', `bday-${part}`)
  }
  const { page } = visitor
  await page.setViewportSize({ width: 320, height: 640 })
  const tops = await visitor
    .field('dateOfBirth')
    .locator('input')
    .evaluateAll(boxes => boxes.map(box => box.getBoundingClientRect().top))
  expect(new Set(tops).size, 'lines of boxes on the narrowest phone').toBe(1)
  // Filling a box doesn't move focus.
  await visitor.dateBox('month').pressSequentially('04')
  await expect(visitor.dateBox('month')).toBeFocused()
  // Every way to write a date is tested in domain/dates.test.ts.
  await visitor.dateBox('month').fill('')
  await visitor.dateBox('month').pressSequentially('May 4 1966')
  await visitor.dateBox('month').blur()
  await expect(visitor.dateBox('month')).toHaveValue('5')
  await expect(visitor.dateBox('day')).toHaveValue('4')
  await expect(visitor.dateBox('year')).toHaveValue('1966')
  await visitor.fillIn({ dateOfBirth: '' })
  const shortYear = `${yearOfBirth % 100}`
  await visitor.dateBox('day').evaluate((input, date) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', date)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, `4/12/${shortYear}`)
  await expect(visitor.dateBox('year')).toHaveValue(shortYear)
  await visitor.submit()
  await expect.poll(() => site.webhook.deliveries[0]?.query).toEqual(margaret)
})

test('wrong dates are explained; odd values are asked about, with a one-click correction for a misspelled email, and count if they’re sent again', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  watched.allow(FAILED_REQUEST)
  await visitor.reachContact()
  await visitor.fillIn()
  const wrong = [
    ['1966-02-30', contactMessages.dateImpossible, 'day'],
    ['1890-05-04', contactMessages.ageOutOfBounds, 'year'],
    ['1990-04-12', contactMessages.ageContradictory, 'year'],
  ] as const
  for (const [date, message, part] of wrong) {
    await visitor.enterDate(date)
    await visitor.submit()
    await expect(visitor.field('dateOfBirth')).toContainText(message)
    await expect(visitor.dateBox(part)).toBeFocused()
    await expect(visitor.panel.locator('[aria-invalid=true]')).toHaveCount(1)
    await expect(visitor.dateBox(part)).toHaveAttribute('aria-invalid', 'true')
  }
  // Nothing is missing, so the toast would be wrong.
  await expect(visitor.toast(toasts.incomplete.title)).toBeHidden()

  const odd = { firstName: '12345', email: 'margaret@gmial.con', phone: '(555) 555-5555', dateOfBirth: '1990-04-12' }
  await visitor.fillIn(odd)
  await visitor.submit()
  await expect(visitor.field('firstName')).toHaveAccessibleDescription(startingWith(contactMessages.nameDoubtful))
  await expect(visitor.field('firstName')).toBeFocused()
  await expect(visitor.field('email')).toHaveAccessibleDescription(startingWith(contactMessages.emailDoubtful))
  await expect(visitor.field('phone')).toHaveAccessibleDescription(startingWith(contactMessages.phoneDoubtful))
  expect(site.webhook.deliveries).toEqual([])
  site.webhook.behave = () => ({ status: 503 })
  await visitor.submit()
  await expect.poll(() => site.webhook.deliveries[0]?.query).toEqual({ ...margaret, ...odd })
  expect(site.webhook.deliveries[0]?.headers).toMatchObject({ 'x-confirmed': 'firstName,dateOfBirth,email,phone' })

  const suggestion = visitor.button(fill(contactForm.didYouMean, { domain: 'gmail.com' }))
  // Measure in one call, because the page is still scrolling to the error message.
  const distance = () =>
    page.evaluate(() => {
      const top = (name: string) => document.getElementById(`field-${name}`)?.getBoundingClientRect().top ?? 0
      return top('phone') - top('email')
    })
  await expect(suggestion).toBeVisible()
  const before = await distance()
  expect((await suggestion.boundingBox())?.height).toBeGreaterThanOrEqual(48)
  await suggestion.click()
  await expect(suggestion).toHaveCount(0)
  await expect(visitor.field('email')).toHaveValue('margaret@gmail.com')
  await expect(visitor.field('email')).toBeFocused()
  expect(await distance(), 'nothing moved').toBe(before)
  // Otherwise, screen readers would announce the hint each time it comes back.
  await expect(visitor.panel.locator('[aria-live]', { hasText: `${contactForm.fields.email.why}` })).toHaveCount(0)
})
