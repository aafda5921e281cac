/** The contact form's fields in every browser: errors, and phone numbers that are typed, pasted, autofilled, and corrected. */

import { languageOfPath, pathInLanguage } from '../../domain/languages.ts'
import { consentAsPresented } from '../../domain/leads/as-presented.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { words } from '../../site-folder/site.ts'
import { inEachLanguage } from '../support/content.ts'
import { eventually, expect, field, ruth, SUBMIT, test, type Visitor, wordsAt } from './visitor.ts'

const phone = field('phone')

async function clear(visitor: Visitor) {
  await visitor.enter(phone)
  await visitor.pressWithControl('a')
  await visitor.pressKeys('Backspace')
  await eventually(() => visitor.value(phone)).toBe('')
}

// domain/contact/phone.test.ts types more of them.
const typed = [
  ['5a5', '(55'],
  ['+1 (555) 234-5678', '(555) 234-5678'],
  ['011 52 55 1234 5678', '(011) 525-512345678'],
] as const

/** Pasted over the whole field, or after what was typed. */
const pasted = [
  { after: '', text: '+1 (555) 234-5678', value: '(555) 234-5678' },
  { after: '', text: '+44 20 7946 0958', value: '+44 20 7946 0958' },
  { after: '555', text: '234.5678 ext 9', value: '(555) 234-5678' },
] as const

/** Typed, pasted, suggested, corrected, and autofilled. */
async function enterPhoneNumbers(visitor: Visitor) {
  for (const [text, value] of typed) {
    await clear(visitor)
    await visitor.type(text)
    await eventually(() => visitor.value(phone), `typed ${text}`).toBe(value)
  }

  for (const { after, text, value } of pasted) {
    // Copy from another field, with keyboard shortcuts.
    await visitor.enter(field('firstName'))
    await visitor.pressWithControl('a')
    await visitor.type(text)
    await visitor.pressWithControl('a')
    await visitor.pressWithControl('c')
    await visitor.enter(phone)
    await visitor.pressWithControl('a')
    if (after) await visitor.type(after)
    await visitor.pressWithControl('v')
    await eventually(() => visitor.value(phone), `pasted ${text}`).toBe(value)
  }
  await visitor.enter(field('firstName'))
  await visitor.pressWithControl('a')
  await visitor.type(ruth.firstName)

  await clear(visitor)
  await visitor.evaluate(() => document.execCommand('insertText', false, '+1 (555) 234-5678'))
  await eventually(() => visitor.value(phone), 'suggested by the keyboard').toBe('(555) 234-5678')

  await clear(visitor)
  await visitor.type('5552345678')
  await visitor.pressKeys('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Backspace')
  await eventually(() => visitor.value(phone)).toBe('(555) 235-678')
  await visitor.type('9')
  await eventually(() => visitor.value(phone)).toBe('(555) 239-5678')
  await visitor.pressKeys('Home', 'Delete')
  await eventually(() => visitor.value(phone), 'Delete before the first digit').toBe('(552) 395-678')

  // Browsers autofill past maxlength.
  await visitor.setValue(phone, '+15552345678')
  await eventually(() => visitor.value(phone), 'autofilled').toBe('(555) 234-5678')
}

for (const path of ['/', ...inEachLanguage('/advertorial').filter(path => path !== '/advertorial')]) {
  const { consent, contactMessages, toasts } = wordsAt(path)
  const language = languageOfPath(path)
  const title = `${path}: errors are shown next to their fields, phone numbers are formatted, and the corrected form is stored`

  test(title, { tag: path === '/' ? '@each-version' : '@once' }, async ({ visitor, site }) => {
    await visitor.reachContact(path)
    await visitor.press(SUBMIT)
    await visitor.sees(toasts.incomplete.title)
    const expected = {
      firstName: contactMessages.firstNameRequired,
      lastName: contactMessages.lastNameRequired,
      dateOfBirth: contactMessages.dateOfBirthRequired,
      email: contactMessages.emailRequired,
      phone: contactMessages.phoneRequired,
    } as const
    for (const [name, message] of Object.entries(expected) as [keyof typeof ruth, string][])
      expect(await visitor.message(name)).toContain(message)
    expect(await visitor.isFocused(field('firstName'))).toBe(true)
    await visitor.type('R')
    await eventually(() => visitor.message('firstName')).not.toContain(contactMessages.firstNameRequired)
    expect(await visitor.message('lastName')).toContain(contactMessages.lastNameRequired)

    await visitor.fillIn({ ...ruth, firstName: 'uth', email: 'ruth@', phone: '555234567', dateOfBirth: '2015-01-01' })
    await visitor.press(SUBMIT)
    await eventually(() => visitor.message('email')).toContain(contactMessages.emailInvalid)
    expect(await visitor.message('phone')).toContain(contactMessages.phoneInvalid)
    expect(await visitor.message('dateOfBirth')).toContain(contactMessages.ageOutOfBounds)
    expect(await visitor.isFocused('[name=dateOfBirth-year]')).toBe(true)
    await visitor.fillIn({ dateOfBirth: ruth.dateOfBirth, email: 'example.org', phone: '8' })
    if (path === '/') await enterPhoneNumbers(visitor)

    await visitor.press(SUBMIT)
    await visitor.arrivesAt(pathInLanguage(language, '/thank-you'))
    const consentVersion = versionOf(consentAsPresented(consent, language, words.en.consent))
    expect(site.storedLeads()).toMatchObject([{ ...ruth, page: path, language, consent_version: consentVersion }])
  })
}
