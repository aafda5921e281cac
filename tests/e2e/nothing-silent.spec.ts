/** Path: something takes long, fails or is dismissed → the visitor is told once, and focus stays in the panel. */

import type { Page } from '@playwright/test'
import { organization } from '../../content/organization.ts'
import { contactForm, toasts } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { asked } from '../support/answers.ts'
import { expect, FAILED_REQUEST, homes, SUBMIT, test } from './visitor.ts'

/** Notes every frame in which nothing holds focus, from now on. */
async function watchFocus(page: Page) {
  await page.evaluate(() => {
    const lost: string[] = []
    Object.assign(window, { lost })
    const look = () => {
      if (document.activeElement === document.body) lost.push(document.querySelector('#question')?.textContent ?? '?')
      requestAnimationFrame(look)
    }
    look()
  })
  return () => page.evaluate(() => (window as unknown as { lost: string[] }).lost)
}

for (const { name, path } of homes) {
  test(`${name}: four seconds after an early press without React, “Still loading…” is announced`, async ({
    visitor,
    page,
    site,
  }) => {
    const release = site.holdScripts()
    await page.clock.install()
    await visitor.open(path)
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await visitor.button(questionnaire.yes).focus()
    const lost = await watchFocus(page)
    await page.keyboard.press('Enter')
    const status = visitor.panel.getByRole('status')
    await page.clock.runFor(3900)
    await expect(status).toHaveText('')
    await page.clock.runFor(200)
    await expect(status).toHaveText(questionnaire.stillLoading)
    await expect(status).toBeInViewport()
    expect(await lost()).toEqual([])
    release()
    await page.waitForFunction(() => window.earlyAnswer === null)
    await page.clock.runFor(600)
    await expect(visitor.question(2)).toBeFocused()
    await expect(visitor.panel.getByText(questionnaire.stillLoading)).toBeHidden()
  })
}

test('a question is announced once: its heading has focus, and nothing around it has its name', async ({
  visitor,
  page,
}) => {
  await visitor.open('/')
  await visitor.ready()
  await visitor.answer(true)
  await expect(visitor.question(2)).toBeFocused()
  const around = await page.evaluate(() => {
    const names: string[] = []
    for (let at = document.activeElement?.parentElement; at; at = at.parentElement) {
      const label = document.getElementById(at.getAttribute('aria-labelledby') ?? '')
      if (label?.textContent?.includes('Question 2')) names.push(at.outerHTML.slice(0, 80))
      if (at.matches('[aria-live],[role=status],[role=alert]')) names.push('a live region')
    }
    return names
  })
  expect(around).toEqual([])
  // Who comes to the buttons by another way still hears what they answer.
  await expect(
    visitor.panel.getByRole('group', { name: questionnaire.place(2, asked.length) }).getByRole('button'),
  ).toHaveCount(2)
})

test('while a lead is sent this is announced, focus stays on the button, and a second press does nothing', async ({
  visitor,
  page,
  site,
}) => {
  await visitor.reachContact()
  await visitor.fillIn()
  site.receiver.answer = 'wait'
  await visitor.submitButton.press('Enter')
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await expect(visitor.panel.getByRole('status').filter({ hasText: contactForm.sending })).toHaveCount(1)
  await expect(visitor.submitButton).toBeFocused()
  await expect(visitor.submitButton).toBeDisabled()
  await page.keyboard.press('Enter')
  await visitor.submitButton.dispatchEvent('click')
  site.receiver.release()
  await page.waitForURL('**/thank-you')
  expect(site.receiver.leads).toHaveLength(1)
})

for (const way of ['pressing', 'Enter on'] as const) {
  test(`${way} a toast’s dismiss button gives focus back to where it was`, async ({ visitor, page }) => {
    await visitor.reachContact()
    await visitor.stopTime()
    await visitor.submit()
    await expect(visitor.field('firstName')).toBeFocused()
    const dismiss = page.getByRole('button', { name: toasts.dismiss })
    if (way === 'pressing') await dismiss.click()
    else await dismiss.press('Enter')
    await expect(visitor.toast(toasts.incomplete.title)).toHaveCount(0)
    await expect(visitor.field('firstName')).toBeFocused()
  })
}

test('a failed send is announced once, and its toast goes when the visitor tries again', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.stopTime()
  site.receiver.answer = 503
  await visitor.submitButton.press('Enter')
  await expect(visitor.toast(toasts.submissionFailed.title)).toBeVisible()
  const announced = await page.evaluate(
    title =>
      [...document.querySelectorAll('p, strong')]
        .filter(({ textContent }) => textContent?.startsWith(title))
        .map(element => element.closest('[role=alert],[role=status],[aria-live]'))
        // The title and the text around it stand in the same region, which is read out once.
        .filter((region, index, all) => region?.getAttribute('aria-live') !== 'off' && all.indexOf(region) === index)
        .map(region => region?.getAttribute('role')),
    toasts.submissionFailed.title,
  )
  expect(announced).toEqual(['alert'])
  await expect(visitor.button(SUBMIT)).toBeFocused()
  watched.allow({ console: FAILED_REQUEST })
  site.receiver.answer = 'wait'
  await visitor.submitButton.press('Enter')
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await expect(visitor.toast(toasts.submissionFailed.title)).toHaveCount(0)
  await expect(visitor.panel.getByRole('alert')).toHaveText('')
  site.receiver.release()
})

test('an entry script that fails once is asked for at a fresh address, up to the contact form', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  site.failScripts(/^\/assets\/browser/)
  await visitor.open('/')
  await visitor.button(questionnaire.yes).click()
  await page.waitForFunction(() => window.earlyAnswer === null)
  for (const { number, requiredAnswer } of asked.slice(1)) {
    await expect(visitor.question(number)).toBeVisible()
    await visitor.answer(requiredAnswer)
  }
  await expect(visitor.field('firstName')).toBeVisible()
  watched.allow({ console: FAILED_REQUEST })
})

test('after the last failure the plain form stands there instead, with the number to call', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  site.failScripts(/browser/)
  await visitor.open('/')
  await visitor.button(questionnaire.yes).press('Enter')
  await expect(visitor.panel.getByRole('alert')).toContainText(questionnaire.scriptMissing.heading, { timeout: 10_000 })
  await expect(visitor.panel.getByRole('radio')).toHaveCount(2 * asked.length)
  await expect(visitor.panel.getByRole('link', { name: organization.phone })).toBeVisible()
  await expect(visitor.panel.locator('[data-answer]').first()).toBeHidden()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('qualification-form')
  watched.allow({ console: FAILED_REQUEST })
})
