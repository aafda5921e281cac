/**
 * What the accessibility statement can claim we test. Each entry names the test that proves it; content/tested.test.ts fails if
 * that test is removed or renamed.
 */
import type { InEachLanguage } from './languages.ts'

interface Tested {
  readonly shows: InEachLanguage
  /** For each file, text that it must contain: a test's title or one of its steps. */
  readonly provenBy: Readonly<Record<string, readonly string[]>>
}

const PAGES = 'tests/e2e/pages.spec.ts'
const PANEL = 'tests/e2e/accessibility.spec.ts'
const CHECKS = 'tests/e2e/page-checks.ts'

export const tested: readonly Tested[] = [
  {
    shows: {
      en: 'The automated checker axe finds no violations of WCAG 2.2 A or AA on any page or in any state of the form, on a phone and on a desktop.',
      es: 'El verificador automático axe no encuentra incumplimientos de las pautas WCAG 2.2 A ni AA en ninguna página ni en ningún estado del formulario, ni en un teléfono ni en una computadora.',
    },
    provenBy: {
      [PAGES]: ['tight conditions, and accessibility', 'expectAccessible'],
      [PANEL]: ['is accessible in every state', 'expectAccessible'],
      [CHECKS]: ["'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'", 'width: 360', 'width: 1280'],
    },
  },
  {
    shows: {
      en: 'The whole eligibility check, all the way to the thank-you page, works with only a keyboard.',
      es: 'Toda la evaluación, hasta la página de agradecimiento, se puede hacer solo con el teclado.',
    },
    provenBy: { [PANEL]: ['by keyboard alone, from the address bar to the thank-you page'] },
  },
  {
    shows: {
      en: 'The focused element is never hidden under the header, and the first Tab stop is a link that skips it.',
      es: 'Lo que se selecciona con el teclado nunca queda oculto bajo el encabezado, y la tecla Tab lleva primero a un enlace para saltarlo.',
    },
    provenBy: { [PANEL]: ['focus is never under the sticky header', 'the first Tab stop skips the header'] },
  },
  {
    shows: {
      en: 'Nothing is cut off on a screen 320 pixels wide, and the questions can be answered there.',
      es: 'Nada se corta en una pantalla de 320 píxeles de ancho, y ahí se pueden contestar las preguntas.',
    },
    provenBy: {
      [PAGES]: ['inTightConditions', 'expectNothingCutOff'],
      [PANEL]: ['works on small screens and with large text', 'inTightConditions', 'expectNothingCutOff'],
      [CHECKS]: ['320 px wide'],
    },
  },
  {
    shows: {
      en: 'The same is true at 200% text size and with the wider spacing of WCAG 1.4.12.',
      es: 'Lo mismo vale con el texto al 200% y con el espaciado más amplio de WCAG 1.4.12.',
    },
    provenBy: { [CHECKS]: ['200% text on a phone', '200% text on a desktop', 'text spacing of WCAG 1.4.12'] },
  },
  {
    shows: {
      en: 'Buttons and links are at least 48 pixels tall, except links inside a sentence.',
      es: 'Los botones y los enlaces tienen al menos 48 píxeles de alto, salvo los enlaces dentro de una oración.',
    },
    provenBy: { [PAGES]: ['targets less than 48 px tall'] },
  },
  {
    shows: {
      en: 'Nothing is animated for people who set their device to reduce motion.',
      es: 'Nada se mueve para las personas que configuran su dispositivo para reducir el movimiento.',
    },
    provenBy: { [PANEL]: ['nothing moves with reduced motion'] },
  },
  {
    shows: {
      en: 'The eligibility check works in the browser engines that Chrome, Firefox, and Safari use.',
      es: 'La evaluación funciona en los motores de navegador que usan Chrome, Firefox y Safari.',
    },
    provenBy: {
      'tests/browsers/engines.ts': ["name: 'firefox'", "name: 'webkit'"],
      'tests/browsers/journeys.spec.ts': ['an eligible visitor submits the form'],
      'playwright.config.ts': ["testDir: 'tests/browsers'"],
    },
  },
  {
    shows: { en: 'The eligibility check works without JavaScript.', es: 'La evaluación funciona sin JavaScript.' },
    provenBy: {
      'tests/browsers/without-script.spec.ts': [
        'a visitor corrects the errors, submits the form, and gets the thank-you page',
      ],
    },
  },
]
