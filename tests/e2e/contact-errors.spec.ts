/** Path: contact form → something is missing or fails → told what to do → corrected or retried. */

import {
  contactForm,
  contactMessages,
  offlineHelp,
  submissionFailedHelp,
  toasts,
} from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import type { ContactField } from '../../domain/contact-fields.ts'
import { delays } from '../../domain/delays.ts'
import { expect, FAILED_REQUEST, margaret, SUBMIT, startingWith, test } from './visitor.ts'

test('an empty form names every field, keeps focus on the first, and shows the toast for 4000 ms', async ({
  visitor,
  page,
  site,
}) => {
  await visitor.reachContact()
  await visitor.stopTime()
  const title = await page.title()
  await visitor.submit()
  const expected = {
    firstName: contactMessages.firstNameRequired,
    lastName: contactMessages.lastNameRequired,
    dateOfBirth: contactMessages.dateOfBirthRequired,
    email: contactMessages.emailRequired,
    phone: contactMessages.phoneRequired,
  }
  for (const [name, message] of Object.entries(expected)) {
    const field = name as ContactField
    await expect(visitor.field(field)).toHaveAccessibleDescription(startingWith(message))
    const input = field === 'dateOfBirth' ? visitor.dateBox('month') : visitor.field(field)
    await expect(input).toHaveAttribute('aria-invalid', 'true')
    await expect(visitor.panel.getByText(message)).toHaveCSS('color', 'rgb(163, 32, 26)')
  }
  await expect(visitor.field('firstName')).toBeFocused()
  await expect(visitor.field('firstName')).toBeInViewport({ ratio: 1 })
  await expect(page).toHaveTitle(contactForm.errorTitlePrefix + title)
  await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
  await expect(visitor.toast(toasts.incomplete.text)).toBeVisible()
  await page.clock.runFor(3980)
  await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
  await page.clock.runFor(40)
  await expect(visitor.toast(toasts.incomplete.title)).toBeHidden()
  await expect(visitor.panel.getByText(contactMessages.emailRequired)).toBeVisible()
  expect(site.receiver.leads).toHaveLength(0)
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport })
    test('the toast covers nothing of the form that it is about', async ({ visitor, page }) => {
      await visitor.reachContact()
      await visitor.stopTime()
      await visitor.submit()
      await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
      const covered = () =>
        page.evaluate(() => {
          const toast = document.querySelector('[aria-live] > [role=group]')?.getBoundingClientRect()
          if (!toast) return ['no toast']
          // What is only read out is one pixel wide.
          return [...document.querySelectorAll('form h3, form label, form input, form p:not([aria-live] *)')]
            .map(part => ({ part, box: part.getBoundingClientRect() }))
            .filter(({ box }) => box.width > 1 && box.top < toast.bottom && box.bottom > toast.top)
            .filter(({ box }) => box.left < toast.right && box.right > toast.left)
            .map(({ part }) => part.outerHTML.slice(0, 100))
        })
      // Until the page has come to the first of the fields.
      await expect.poll(covered).toEqual([])
    })
  })
}

test('the toast goes away when the last wrong field is corrected, not before', async ({ visitor }) => {
  await visitor.reachContact()
  await visitor.fillIn({ email: 'margaret@', phone: '555' })
  await visitor.stopTime()
  await visitor.submit()
  await visitor.field('email').fill(margaret.email)
  await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
  await visitor.field('phone').fill(margaret.phone)
  await expect(visitor.toast(toasts.incomplete.title)).toHaveCount(0)
})

test('of a date of birth that lacks a part, the empty box gets focus', async ({ visitor }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.dateBox('day').fill('')
  await visitor.submit()
  await expect(visitor.dateBox('day')).toBeFocused()
  await expect(visitor.field('dateOfBirth')).toHaveAccessibleDescription(
    startingWith(contactMessages.dateOfBirthRequired),
  )
  await visitor.dateBox('year').fill('1967')
  await expect(visitor.panel.getByText(contactMessages.dateOfBirthRequired)).toBeHidden()
})

test('at most three toasts are visible, and one that is being read stays', async ({ visitor, page }) => {
  await visitor.reachContact()
  await visitor.stopTime()
  for (let press = 0; press < 5; press++) await visitor.submit()
  await expect(visitor.toast(toasts.incomplete.title)).toHaveCount(3)
  await page.getByRole('button', { name: toasts.dismiss }).last().focus()
  await page.clock.runFor(10_000)
  await expect(visitor.toast(toasts.incomplete.title)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(visitor.toast(toasts.incomplete.title)).toHaveCount(0)
})

for (const failure of [503, 'hang up'] as const) {
  test(`a lead answered with ${failure} is a Submission Error that can be retried, with everything kept`, async ({
    visitor,
    page,
    site,
    watched,
  }) => {
    await visitor.reachContact()
    await visitor.fillIn()
    site.receiver.answer = failure
    await visitor.submit()
    await expect(visitor.toast(toasts.submissionFailed.title)).toBeVisible()
    await expect(visitor.toast(toasts.submissionFailed.text)).toBeVisible()
    await page.clock.runFor(5000)
    await expect(visitor.toast(toasts.submissionFailed.title)).toBeHidden()
    await expect(visitor.panel.getByRole('alert').getByText(toasts.submissionFailed.title)).toBeVisible()
    await expect(visitor.button(SUBMIT)).toBeEnabled()
    await expect(visitor.button(SUBMIT)).toBeFocused()
    await expect(visitor.panel.getByText(submissionFailedHelp)).toBeInViewport()
    await expect(visitor.field('lastName')).toHaveValue(margaret.lastName)
    // The browser itself reports the failed request, in that line and no other.
    watched.allow({ console: FAILED_REQUEST })
    site.receiver.answer = 202
    await visitor.submit()
    await visitor.leftFor('/thank-you')
    expect(site.receiver.leads.at(-1)?.query).toEqual(margaret)
  })
}

test('a receiver that never answers is given up after 20 seconds', async ({ visitor, page, site, watched }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  site.receiver.answer = 'wait'
  // The time limit of a request runs on the browser's own clock, which a test cannot move: shorten it instead.
  await page.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = limit => {
      document.body.dataset['limit'] = `${limit}`
      return timeout(limit / 100)
    }
  })
  await visitor.submit()
  await expect(page.locator('body')).toHaveAttribute('data-limit', '20000')
  await expect(visitor.panel.getByRole('alert').getByText(toasts.submissionFailed.title)).toBeVisible()
  await expect(visitor.button(SUBMIT)).toBeEnabled()
  watched.allow({ console: FAILED_REQUEST })
})

test('offline, the visitor hears that nothing is lost, and to press again once back online', async ({
  visitor,
  context,
  site,
  watched,
}) => {
  watched.allow({ console: FAILED_REQUEST })
  await visitor.reachContact()
  await visitor.fillIn()
  await context.setOffline(true)
  await visitor.submit()
  const alert = visitor.panel.getByRole('alert')
  await expect(alert).toContainText(toasts.submissionFailed.title)
  await expect(alert).toContainText(toasts.submissionFailed.text)
  await expect(alert).toContainText(offlineHelp)
  await visitor.expectFilledIn()
  await context.setOffline(false)
  await visitor.submit()
  await visitor.leftFor('/thank-you')
  expect(site.receiver.leads.at(-1)?.query).toEqual(margaret)
})

test('in the middle of the questions a reload goes on where the visitor was, and Start over forgets it', async ({
  visitor,
  page,
}) => {
  await visitor.start()
  await visitor.answer(true)
  await page.clock.runFor(delays.answerLock)
  await expect(visitor.question(2)).toBeVisible()
  await page.reload()
  await expect(visitor.question(2)).toBeVisible()
  await visitor.button(questionnaire.startOver).click()
  await expect(visitor.question(1)).toBeFocused()
  await page.reload()
  await visitor.ready()
  await expect(visitor.question(1)).toBeVisible()
})
