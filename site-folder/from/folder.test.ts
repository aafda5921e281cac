/** A folder from an edited checkout of 0.7.0: every edit is in it or in the list of what isn't, and what people agree to stays as it was. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changedOriginals, listChanges } from '../changed-originals.ts'
import { readSite } from '../read-site.ts'
import { leavesOf, readToml } from '../toml.ts'
import { makeFolderFrom } from './folder.ts'

/** content/ of 0.7.0, and the style sheet with its colors. */
const fixture = join(import.meta.dirname, '../../tests/fixtures/content-0.7.0.json.gz')
const originals: Record<string, string> = JSON.parse(gunzipSync(readFileSync(fixture)).toString())

const all = mkdtempSync(join(tmpdir(), 'from-'))
afterAll(() => rmSync(all, { recursive: true }))

type Edit = readonly [file: string, before: string, after: string]

function carry(name: string, edits: readonly Edit[]) {
  const [checkout, folder] = [join(all, `${name}-old`), join(all, name)]
  const files: Record<string, string> = { ...originals, 'package.json': '{ "version": "0.7.0", "type": "module" }' }
  for (const [file, before, after] of edits) {
    expect(files[file]).toContain(before)
    files[file] = (files[file] ?? '').replace(before, () => after)
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    writeFileSync(join(checkout, file), text)
  }
  // The fixture has no program.
  const left = makeFolderFrom(checkout, folder).filter(
    each => !/^(?!content\/\w).*: (?:deleted|changed code)$/.test(each),
  )
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const leaves = (file: string) => Object.fromEntries(leavesOf(readToml({ file, text: read(file) }).table))
  return { left, read, leaves, site: readSite(folder).data, changed: listChanges(changedOriginals(folder)) }
}
let edited: ReturnType<typeof carry>
let asDelivered: ReturnType<typeof carry>

const [en, es] = ['content/en/', 'content/es/']

const edits: readonly Edit[] = [
  ['content/organization.ts', "name: 'SSDI Advocate'", "name: 'Harbor Light'"],
  ['content/organization.ts', 'hours: null', "hours: { en: 'Monday to Friday', es: 'De lunes a viernes' }"],
  ['content/organization.ts', 'callbacks: null', "callbacks: { hours: 'Mon-Fri 9:00-18:00', timeZone: 'Eastern' }"],
  ['content/figures.ts', "value: '$4,018'", "value: '$4,152'"],
  ['content/figures.ts', "    note: 'The 2026 maximum is $4,152.',\n", ''],
  ['content/figures.ts', 'from: 55', 'from: 50'],
  [`${en}figures.ts`, '.value}/Month', '.value} a month'],
  ['content/questions.ts', "{ id: 'hasAttorney', required: 'no' }", "{ id: 'seesDoctor', required: 'yes' }"],
  [`${en}questions.ts`, "hasAttorney: 'Are you currently represented by an attorney?'", "seesDoctor: 'A doctor?'"],
  [`${es}questions.ts`, "hasAttorney: '¿Tiene actualmente un abogado que le represente?'", "seesDoctor: '¿Médico?'"],
  [`${en}landing.ts`, 'You May Qualify for Up to ${', 'Too Sick to Work? Up to ${'],
  [
    `${en}landing.ts`,
    "  {\n    question: 'What does",
    "  { question: 'Part-time?', answer: 'Sometimes.' },\n  {\n    question: 'What does",
  ],
  [
    `${es}landing.ts`,
    "  {\n    question: '¿Cuánto cuesta",
    "  { question: '¿Medio tiempo?', answer: 'A veces.' },\n  {\n    question: '¿Cuánto cuesta",
  ],
  [`${en}landing.ts`, "{ icon: 'confidential', text: claims.confidential }", 'null'],
  [`${en}claims.ts`, "rated: 'Rated by Thousands'", 'rated: null'],
  [`${es}claims.ts`, "rated: 'Miles de personas han opinado sobre nuestro servicio'", 'rated: null'],
  [
    `${en}advertorial.ts`,
    "average: { figure: figures.averageBenefit, label: 'a month is the average SSDI benefit' }",
    'average: null',
  ],
  [`${en}thank-you.ts`, "You've done your part for today.", 'That was all.'],
  [`${en}thank-you.ts`, "hours === null ? ''", "hours === null ? ' once we open'"],
  [`${en}decline.ts`, 'You can still apply for SSDI yourself', 'Apply yourself'],
  [`${en}contact-form.ts`, '(optional)', '(if you like)'],
  [`${en}contact-form.ts`, "lastStep: 'Last step'", "lastStep: 'Nearly there'"],
  [`${en}contact-form.ts`, 'So we know who to ask for', 'So we can ask for you'],
  [`${en}contact-form.ts`, 'or by saying so on a call', 'or by telling any of us'],
  [`${en}shared.ts`, '`©', 'String(2026) + `©'],
  [
    'content/headline-variants.ts',
    'HeadlineVariant[] = []',
    "HeadlineVariant[] = [\n  { name: 'plain', en: { headline: 'Too sick?', lead: 'Look.' }, es: null },\n]",
  ],
  [
    'content/landing-pages.ts',
    'LandingPage[] = []',
    "LandingPage[] = [\n  { path: '/veterans', en: { hero: { headline: 'Veterans' }, urgency: null }, es: null },\n]",
  ],
  [`${en}legal/help.md`, originals['content/en/legal/help.md'] ?? '', '# Help\n\nCall {{name}} at {{ phone }}.\n'],
  ['site/styles.css', '--color-action: #1e6b4b', '--color-action: #1d4f91'],
  ['site/styles.css', '--text-body: 1.125rem', '--text-body: 1.25rem'],
]

beforeAll(() => {
  asDelivered = carry('as-delivered', [])
  edited = carry('edited', edits)
})

test('an unedited checkout needs only what lawyers read', () => {
  expect(asDelivered.left).toEqual([])
  expect(Object.keys(asDelivered.leaves('en.toml')).sort()).toEqual([
    'advertorial.sponsoredBy',
    'advertorial.sponsoredLabel',
    'footer.affiliation',
    'landing.disclaimer.paragraphs.amounts',
    'landing.disclaimer.paragraphs.who-we-are',
  ])
  // Not today's.
  expect(asDelivered.read('es.toml')).toContain('ajena al gobierno')
})

test('facts and texts have their names, and figures in them stay names', () => {
  expect(edited.leaves('organization.toml')).toMatchObject({
    'checked-with': '0.7.0',
    name: 'Harbor Light',
    'hours.es': 'De lunes a viernes',
    'callbacks.es.timeZone': 'Eastern',
    'colors.action': '#1d4f91',
  })
  expect(edited.leaves('evidence.toml')).toEqual({
    'figures.maximumBenefit.value': '$4,152',
    'figures.maximumBenefit.note': '',
    'claims.rated.show': false,
  })
  expect(edited.leaves('questions.toml')).toMatchObject({
    'ages.from': 50,
    'questions.order': expect.not.arrayContaining(['hasAttorney']),
    'questions.seesDoctor.required': 'yes',
  })
  expect(edited.leaves('en.toml')).toMatchObject({
    'figures.maximumBenefit': '{value} a month',
    'questions.seesDoctor': 'A doctor?',
    'landing.hero.headline': 'Too Sick to Work? Up to {maximumBenefit} in SSDI Benefits',
    'landing.hero.promises.confidential.show': false,
    'landing.faq.order': ['denials', 'part-time', 'cost', 'decision-time', 'who-we-are', 'confidential'],
    'landing.faq.part-time.answer': 'Sometimes.',
    'advertorial.average.show': false,
    'thankYou.sentLead': 'We have your information. That was all. A disability advocate will call you {duringHours}.',
    'decline.next.items.apply': 'Apply yourself, free of charge, at [ssa.gov](socialSecurityDisability).',
    'contactForm.optional': '{label} (if you like)',
    'questionnaire.lastStep': 'Nearly there',
    'headlines.plain.headline': 'Too sick?',
    'pages.veterans.hero.headline': 'Veterans',
    'pages.veterans.urgency.show': false,
  })
  expect(edited.leaves('es.toml')).toMatchObject({ 'landing.faq.part-time.answer': 'A veces.' })
  expect(edited.read('legal/help.en.md')).toBe('# Help\n\nCall {organization} at {phone}.\n')
})

test('consents say what they said, word for word', () => {
  for (const { site } of [asDelivered, edited]) {
    const { name, legalName } = site?.organization ?? {}
    expect(legalName).toBe(name)
    expect(site?.words.en.consent.below).toEqual([
      `By pressing “Yes, Please Call Me!”, which counts as my electronic signature, I give ${name} my express written consent to email me at the address above, and to call and text me (SMS) at the phone number above, with marketing about disability benefits, even if my number is on a Do Not Call list. I agree that these calls and texts may be made with an automated system, and that the calls may use an artificial (AI) or prerecorded voice.`,
      'My consent is not required to obtain any good or service: I can call 833-243-2965 instead.',
      `Message frequency varies. Message and data rates may apply. I can opt out at any time by replying STOP to a text or by ${site === edited.site ? 'telling any of us' : 'saying so on a call'}. I can reply HELP for help.`,
    ])
  }
})

test('what can’t be in a folder is listed, with its line', () => {
  expect(edited.left).toEqual([
    expect.stringMatching(/^content\/en\/shared\.ts, line \d+: copyright: /),
    expect.stringMatching(/^content\/en\/thank-you\.ts, line 15: hours === null \? ' once we open' : /),
    'site/styles.css, line 40: --text-body: 1.25rem;',
    expect.stringMatching(/^en\.toml, line \d+: This version has no contactForm\.whyName anymore/),
  ])
})

test('the check names what the upgrade changed, and what the folder replaces', () => {
  expect(edited.changed).toEqual(
    expect.arrayContaining([
      '  en.toml  decline.next.items.apply (yours stays)',
      '    yours:  Apply yourself, free of charge, at [ssa.gov](socialSecurityDisability).',
      '  en.toml  contactForm.whyName (removed)',
      '  en.toml  stop (new)',
      '  consent.en.md  (another original; yours stays as it is)',
    ]),
  )
})
