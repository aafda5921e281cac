/** Copy, figures, and questions from the specification: in the texts and on the built pages. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askedIn, words } from '../../site-folder/site.ts'
import { BUILT } from '../support/built-site.ts'

const questions = askedIn(words.en.questions)
const { consent, contactForm, contactMessages, toasts, figures, questionnaire } = words.en

test('the six questions have the specification’s wording, order, and required answers', () => {
  const expected: readonly [RegExp, 'yes' | 'no'][] = [
    [/out of work due to a mental and\/or physical condition/, 'yes'],
    [/out of work for at least 1 year/, 'yes'],
    [/currently getting SSDI benefits from the SSA/, 'no'],
    [/worked 5 of the last 10 years/, 'yes'],
    [/currently represented by an attorney/, 'no'],
    [/age between 55 and 64/, 'yes'],
  ]
  expect(questions.map(({ required }) => required)).toEqual(expected.map(([, required]) => required))
  for (const [index, [words]] of expected.entries()) expect(questions[index]?.text).toMatch(words)
})

test('the contact form has the specification’s wording', () => {
  expect(contactForm).toMatchObject({
    heading: "You're Almost Done – You May Qualify for SSDI Benefits!",
    lead: 'We think that we can help you apply!',
    submitting: 'Processing...',
    fields: { phone: { placeholder: '(555) 555-5555' } },
  })
  expect(consent.button).toBe('Yes, Please Call Me!')
  expect(questionnaire.loading).toBe('Matching you with a qualified disability advocate…')
})

test('messages and toasts match the specification', () => {
  expect(contactMessages).toMatchObject({
    firstNameRequired: 'First name is required',
    lastNameRequired: 'Last name is required',
    dateOfBirthRequired: 'Date of birth is required',
    ageOutOfBounds: 'You must be at least 18 years old',
    emailRequired: 'Email is required',
    emailInvalid: 'Email is invalid',
    phoneRequired: 'Phone number is required',
    phoneInvalid: 'Please enter a valid 10-digit phone number',
  })
  expect(toasts).toMatchObject({
    incomplete: { title: 'Please complete all fields', text: 'All fields are required to continue.' },
    submissionFailed: {
      title: 'Submission Error',
      text: 'There was a problem submitting your information. Please try again.',
    },
  })
})

test('every figure is written only once, in evidence.toml', () => {
  const distinctive = Object.values(figures).filter(shown => !/^\d+$/.test(shown))
  const files = globSync(['content/{en,es}.toml', 'content/*.md', 'site/**/*.{ts,tsx}']).filter(
    file => !file.includes('.test.'),
  )
  const sources = files.map(file => [file, readFileSync(file, 'utf8')] as const)
  const repeated = sources.flatMap(([file, text]) =>
    distinctive.filter(shown => text.includes(shown)).map(shown => `${file}: ${shown}`),
  )
  expect(repeated).toEqual([])
})

const html = (page: string) => readFileSync(join(BUILT, `${page}.html`), 'utf8')

/** The text a visitor reads. */
function textOf(page: string): string {
  return (
    html(page)
      .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
      // Inline tags, such as those around a number that must not wrap.
      .replaceAll(/<\/?(?:span|wbr)\b[^>]*>/g, '')
      .replaceAll(/<[^>]*>/g, '\n')
      .replaceAll('&#x27;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  )
}

const expectedTexts: Readonly<Record<string, readonly string[]>> = {
  index: [
    'Up to $4,018/Month',
    'Only 23 Spots Remaining This Month',
    'Free Evaluation',
    'Expert Matching',
    'Application Support',
    'Medical bills',
    'A confusing process',
    'The physical and emotional toll',
    'at least 12 months, or to result in death',
    '5 of the last 10 years',
    'For people ages 55-64',
    'under full retirement age',
    'about 70% of initial applications are denied',
    '25% of your back benefits, up to a maximum of $7,200',
    'no upfront fees',
    'contingency basis',
    'Initial decisions typically take 3-5 months',
    'not a law firm',
    'HIPAA-protected',
    '833-243-2965',
    'not affiliated with, endorsed by, or part of the Social Security Administration or any government agency',
    'It is not legal advice',
    'No Fees Unless You Win',
    '100% Secure & HIPAA Compliant',
    'Rated by Thousands',
    '100% confidential',
    'No fees unless your claim is won',
    'File My Claim Now',
    'Get Started Now',
    'Secure Your Spot Now',
    'Call Now',
    'Privacy Policy',
    'Terms of Use',
    'HIPAA Notice',
    'Contact Us',
    'Help',
    'Yes, Please Call Me!',
    'Answer six yes/no questions',
    'Six questions',
    '14% complete',
    'Question 1 of 6',
  ],
  advertorial: [
    'Sponsored content',
    'By SSDI Advocate Staff',
    'Why Your Age Is An Advantage',
    'What SSDI Provides:',
    'Monthly payments',
    'Medicare',
    'after 24 months',
    'Retirement protection',
    'Back pay',
    'Dependents support',
    "Don't Wait – Timing Is Critical",
    'over 65% of initial applications are denied',
    'Check Your Eligibility Now',
    'Check Your SSDI Eligibility Now',
    'Check If You Qualify for SSDI Benefits',
    '$1,483',
    '2-minute',
    'Terms of Service',
    'Benefit amounts vary with work history and current regulations',
  ],
  'thank-you': [
    "You're Pre-Qualified to Receive Up to $4,018/Month in SSDI Benefits",
    'Call 833-243-2965',
    'What Happens Next?',
    'Initial Consultation',
    'Document Collection',
    'Application Filing',
    'No Fees Unless You Win',
  ],
  decline: [
    'You May Still Qualify for Medicaid or Other Health Programs',
    'Medicare',
    'Supplemental Security Income',
    'Check Medicaid Eligibility',
    'Call 833-243-2965',
  ],
  'not-found': ['404', 'Oops! Page not found', 'Return to Home'],
  error: ['Unexpected Application Error!'],
}

for (const [page, texts] of Object.entries(expectedTexts)) {
  for (const text of texts) test(`${page} says “${text}”`, () => expect(textOf(page)).toContain(text))

  test(`${page} dials the toll-free number`, () => {
    // Social Security's own number is on the decline page, too.
    const numbers = html(page).matchAll(/href="tel:(?!\+18007721213)([^"]*)"/g)
    expect(new Set(Array.from(numbers, ([, number]) => number))).toEqual(new Set(['+18332432965']))
  })

  test(`${page} has footer links without a destination`, () => {
    const [footer = ''] = html(page).match(/<footer.*<\/footer>/s) ?? []
    const [links = ''] = footer.match(/<nav.*<\/nav>/s) ?? []
    expect(links.match(/<a[ >]/g)).toHaveLength(5)
    expect(links).not.toContain('href=')
  })
}

test('the landing page has three five-star testimonials', () => {
  const [socialProof = ''] = html('index').match(/id="social-proof".*?<\/section>/s) ?? []
  expect(socialProof.match(/aria-label="5 out of 5 stars"/g)).toHaveLength(3)
})

test('the Medicaid button links to the official page', () => {
  expect(html('decline')).toContain('href="https://www.healthcare.gov/medicaid-chip/')
})
