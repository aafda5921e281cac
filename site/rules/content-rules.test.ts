import { expect, test } from 'vitest'
import { type CheckedContent, ContentError, checkContent } from './content-rules.ts'

const content: CheckedContent = {
  organization: { phone: '833-243-2965', email: null, callbacks: { en: null, es: null } },
  colors: { action: '#1E6b4b' },
  questions: [
    { id: 'isOut', text: 'Are you out?' },
    { id: 'hasHelp', text: 'Do you have help?' },
  ],
  figures: { benefit: { since: null, until: '2026-12-31' } },
  testimonials: [{ name: 'Ann', permission: { given: '2026-10-01' } }, { name: 'Bea' }],
  publishedOn: null,
  headlineVariants: [{ name: 'plain' }],
  landingPages: [{ path: '/veterans' }],
  takenPaths: ['/advertorial'],
  legalPagesElsewhere: { privacy: null, terms: { en: 'https://www.acme.test/terms' } },
  files: {},
}

/** The location and message of the first error, or null. */
function errorOf(changed: Partial<CheckedContent>): string | null {
  try {
    checkContent({ ...content, ...changed })
    return null
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    return `${error.location.file} ${error.location.after.join(' ')}: ${error.message}`
  }
}

const phone = (text: string) => ({ organization: { ...content.organization, phone: text } })
const callbacks = (hours: string) => ({
  organization: { ...content.organization, callbacks: { en: null, es: { hours } } },
})
const questions = (...ids: string[]) => ({ questions: ids.map((id, index) => ({ id, text: `Question ${index}?` })) })
const figure = (until: string) => ({ figures: { benefit: { since: null, until } } })
const variants = (...names: string[]) => ({ headlineVariants: names.map(name => ({ name })) })
const landingPages = (...paths: string[]) => ({ landingPages: paths.map(path => ({ path })) })
const privacy = (href: string) => ({ legalPagesElsewhere: { privacy: { en: href } } })
const inCalls = (calls: unknown) => ({ files: { 'es/calls.ts': calls } })
const inLanding = (landing: unknown) => ({ files: { 'landing.ts': landing } })
const latin1 = Buffer.from('Caf\u00e9.', 'latin1').toString('utf8')

test.each<[string, Partial<CheckedContent>]>([
  ['complete content', {}],
  ['phone numbers as people write them', phone('(833) 243-2965')],
  ['a country code', phone('+1 833.243.2965')],
  ['a vanity number', phone('1-800-FLOWERS')],
  ['callback hours', callbacks('Mon-Fri 9:00-18:00')],
  ['an extension', phone('833-243-2965 ext. 12')],
  ['an empty sentence or alt text', inLanding({ note: '', picture: { alt: '' } })],
  ['any script', { files: { 'legal/help.md': 'Café — “it’s” 電話.' } }],
])('%s passes', (_, changed) => expect(errorOf(changed)).toBeNull())

const number = 'content/organization.ts phone: '
const id = 'Expected an ID of letters and digits'
const date = 'content/figures.ts benefit: { until:: Expected a date such as 2026-12-31, or null.'
const variant = 'content/headline-variants.ts headlineVariants'
const url = 'Expected a URL that starts with https://'
const path = 'content/landing-pages.ts path: '

test.each<[string, readonly Partial<CheckedContent>[]]>([
  [number, [phone(''), phone('555-0142'), phone('call us')]],
  ['Expected a number with its area code', [phone('555-0142')]],
  ["email: 'acme.test'", [{ organization: { ...content.organization, email: 'acme.test' } }]],
  ["callbacks: hours: '9-5': Callback hours must end later than it starts.", [callbacks('9-5')]],
  ["id: 'a' 'Question 2?': Expected a unique ID: another question already uses a.", [questions('a', 'b', 'a')]],
  // Webhook receivers use the ID as a JSON key.
  [id, [questions(''), questions('sees doctor'), questions('sees-doctor?')]],
  ["content/colors.ts '#1e6': Expected a color for action", [{ colors: { action: '#1e6' } }]],
  ['Expected at least one question.', [questions()]],
  [date, ['', '12/31/2026', '2026-02-30', 'soon'].map(figure)],
  ["name: 'Ann' given:", [{ testimonials: [{ name: 'Ann', permission: { given: 'in May' } }] }]],
  [
    'content/advertorial.ts export const publishedOn: Expected a date such as 2026-12-31, or null.',
    [{ publishedOn: 'May 1' }],
  ],
  [variant, ['Two words', 'original', '', 'a'.repeat(21)].map(name => variants(name))],
  ['Expected a unique name', [variants('plain', 'plain')]],
  [
    path,
    ['/', 'veterans', '/Veterans', '/a/b', '/advertorial', '/what now', '/error', '/api', '/fr'].map(each =>
      landingPages(each),
    ),
  ],
  [path, [landingPages('/twice', '/twice')]],
  [url, ['', ' ', 'www.acme.test/privacy', '//acme.test', 'javascript:alert(1)'].map(privacy)],
  ["answer: ' ': This text can’t be empty.", [inLanding({ faq: { items: [{ question: 'Why?', answer: ' ' }] } })]],
  ["headline: ''", [inLanding([{ hero: { headline: '' } }])]],
  ["callLabel: ''", [inLanding({ callLabel: '' })]],
  [
    'content/es/calls.ts voicemail:: Anyone may hear this, so it can’t say why you call: leave out “SSDI”.',
    [inCalls({ voicemail: 'De SSDI Advocate.', reason: 'Sobre SSDI.' })],
  ],
  ['opening: {nmae}: Expected one of', [inCalls({ opening: 'Hola, ¿{nmae}?' })]],
  ['content/legal/help.md \uFFFD: Save this file as UTF-8.', [{ files: { 'legal/help.md': latin1 } }]],
])('reports “%s”', (message, faulty) => {
  for (const changed of faulty) expect(errorOf(changed)).toContain(message)
})
