/**
 * What the accessibility statement can say we test. Each entry names the test that proves it; content/tested.test.ts fails if
 * that test is removed or renamed.
 */
interface Tested {
  readonly shows: string
  readonly file: string
  /** Text that must be in that file: the test's title, or a step of the test. */
  readonly runs: readonly string[]
}

export const tested: readonly Tested[] = [
  {
    shows:
      'The automated checker axe finds no violations of WCAG 2.2 A or AA on any page or in any state of the form, on a phone and on a desktop.',
    file: 'tests/e2e/every-page.spec.ts',
    runs: [
      'tight conditions, and accessibility',
      'the panel is accessible in every state',
      'width: 360',
      'width: 1280',
    ],
  },
  {
    shows: 'The whole eligibility check, all the way to the thank-you page, works with only a keyboard.',
    file: 'tests/e2e/accessibility.spec.ts',
    runs: ['by keyboard alone, from the address bar to the thank-you page'],
  },
  {
    shows: 'The focused element is never hidden under the header, and the first Tab stop is a link that skips it.',
    file: 'tests/e2e/accessibility.spec.ts',
    runs: ['focus is never under the sticky header', 'the first Tab stop skips the header'],
  },
  {
    shows: 'Nothing is cut off on a screen 320 pixels wide, and the questions can be answered there.',
    file: 'tests/e2e/every-page.spec.ts',
    runs: ['320 px wide', 'expectNothingCutOff', 'the questionnaire can be finished in tight conditions'],
  },
  {
    shows: 'The same is true at 200% text size and with the wider spacing of WCAG 1.4.12.',
    file: 'tests/e2e/every-page.spec.ts',
    runs: ['200% text on a phone', '200% text on a desktop', 'text spacing of WCAG 1.4.12', 'expectNothingCutOff'],
  },
  {
    shows: 'Buttons and links are at least 48 pixels tall, except links inside a sentence.',
    file: 'tests/e2e/every-page.spec.ts',
    runs: ['targets lower than 48 px'],
  },
  {
    shows: 'Nothing is animated for people who set their device to reduce motion.',
    file: 'tests/e2e/accessibility.spec.ts',
    runs: ['nothing moves with reduced motion'],
  },
  {
    shows: 'The eligibility check works in the browser engines that Chrome, Firefox, and Safari use.',
    file: 'tests/browsers/engines.ts',
    runs: ["name: 'firefox'", "name: 'webkit'"],
  },
  {
    shows: 'The eligibility check works without JavaScript.',
    file: 'tests/browsers/without-script.spec.ts',
    runs: ['a visitor corrects the errors, leaves a lead, and is thanked'],
  },
]
