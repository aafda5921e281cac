import { describe, expect, test } from 'vitest'
import { type CheckedContent, ContentFault, checkContent } from './content-rules.ts'

const content: CheckedContent = {
  organization: { phone: '833-243-2965', email: null },
  questions: [
    { id: 'isOut', text: 'Are you out?' },
    { id: 'hasHelp', text: 'Do you have help?' },
  ],
  figures: { benefit: { since: null, until: '2026-12-31' } },
  testimonials: [{ name: 'Ann', permission: { given: '2026-10-01' } }, { name: 'Bea' }],
  headlineVariants: [{ name: 'plain' }],
  landingPages: [{ path: '/veterans' }],
  takenPaths: ['/advertorial'],
  legalPagesElsewhere: { privacy: null, terms: 'https://www.acme.test/terms' },
  files: {},
}

/** The location and message of the first error, or null. */
function faultOf(changed: Partial<CheckedContent>): string | null {
  try {
    checkContent({ ...content, ...changed })
    return null
  } catch (error) {
    if (!(error instanceof ContentFault)) throw error
    return `${error.place.file} ${error.place.after.join(' ')}: ${error.message}`
  }
}

test('valid content passes', () => {
  expect(faultOf({})).toBeNull()
})

describe('organization', () => {
  const withPhone = (phone: string) => faultOf({ organization: { phone, email: null } })

  test.each(['(833) 243-2965', '+1 833.243.2965', '1-800-FLOWERS', '833-243-2965 ext. 12'])(
    '%s can be dialed',
    phone => {
      expect(withPhone(phone)).toBeNull()
    },
  )

  test.each(['', '555-0142', 'call us'])('%j cannot', phone => {
    expect(withPhone(phone)).toMatch(/^content\/organization\.ts phone: .*: Expected a number with its area code/)
  })

  test('the email address must be valid', () => {
    expect(faultOf({ organization: { phone: '833-243-2965', email: 'acme.test' } })).toContain("email: 'acme.test'")
  })
})

describe('questions', () => {
  const named = (...ids: string[]) =>
    faultOf({ questions: ids.map((id, index) => ({ id, text: `Question ${index}?` })) })

  test('a duplicate ID is reported at the second question', () => {
    expect(named('a', 'b', 'a')).toBe(
      "content/questions.ts id: 'a' 'Question 2?': Expected a unique id: another question already uses a.",
    )
  })

  test.each(['', 'sees doctor', 'sees-doctor?'])('the ID %j is rejected: receivers use it as a JSON key', id => {
    expect(named(id)).toContain('Expected an id of letters and digits')
  })

  test('at least one question is required', () => {
    expect(named()).toContain('Expected at least one question.')
  })
})

test.each(['', '12/31/2026', '2026-02-30', 'soon'])('%j is not a date', until => {
  expect(faultOf({ figures: { benefit: { since: null, until } } })).toBe(
    'content/figures.ts benefit: { until:: Expected a date such as 2026-12-31, or null.',
  )
})

test('a permission needs a date', () => {
  expect(faultOf({ testimonials: [{ name: 'Ann', permission: { given: 'in May' } }] })).toContain("name: 'Ann' given:")
})

test.each(['Two words', 'original', '', 'a'.repeat(21)])('%j is not a variant name', name => {
  expect(faultOf({ headlineVariants: [{ name }] })).toContain('content/landing.ts headlineVariants')
})

test.each(['/', 'veterans', '/Veterans', '/a/b', '/advertorial', '/what now'])(
  '%j is not a landing page’s path',
  path => {
    expect(faultOf({ landingPages: [{ path }] })).toContain(`content/landing-pages.ts path: '${path}'`)
  },
)

test('two landing pages can’t share a path', () => {
  expect(faultOf({ landingPages: [{ path: '/twice' }, { path: '/twice' }] })).not.toBeNull()
})

test('two variants can’t share a name', () => {
  expect(faultOf({ headlineVariants: [{ name: 'plain' }, { name: 'plain' }] })).toContain('Expected a unique name')
})

test.each(['', ' ', 'www.acme.test/privacy', '//acme.test', 'javascript:alert(1)'])(
  '%j is not a page’s URL or path',
  privacy => {
    expect(faultOf({ legalPagesElsewhere: { privacy } })).toContain('Expected a URL that starts with https://')
  },
)

test('an empty heading, button, or question is rejected; an empty sentence or alt text is not', () => {
  const inLanding = (landing: unknown) => faultOf({ files: { 'landing.ts': landing } })
  expect(inLanding({ faq: { items: [{ question: 'Why?', answer: ' ' }] } })).toBe(
    "content/landing.ts answer: ' ': This text can’t be empty.",
  )
  expect(inLanding([{ hero: { headline: '' } }])).toContain("headline: ''")
  expect(inLanding({ callLabel: '' })).toContain("callLabel: ''")
  expect(inLanding({ note: '', picture: { alt: '' } })).toBeNull()
})

test('a file in another encoding is reported at its first unreadable character', () => {
  const text = Buffer.from('Caf\u00e9.', 'latin1').toString('utf8')
  expect(faultOf({ files: { 'legal/help.md': text } })).toBe(
    'content/legal/help.md \uFFFD: Save this file with the encoding UTF-8.',
  )
  expect(faultOf({ files: { 'legal/help.md': 'Café — “it’s” 電話.' } })).toBeNull()
})
