/** `null` hides a claim, badge, quote, or section in one language, and the page still makes sense. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { es } from '../../content/es/words.ts'
import type { LandingCopy } from '../../content/types.ts'
import { attribute, type BuiltPage, type Element, elements, parsePage, textOf } from '../../launch/page.ts'
import { specified } from '../specification/specified.ts'
import { copyProject } from '../support/copied-project.ts'
import { PROGRAM_ENV } from '../support/processes.ts'

const project = copyProject('removals')
const landing: LandingCopy = es.landing
let isBuilt = false

function page(file: string): BuiltPage {
  if (!isBuilt) build()
  isBuilt = true
  return parsePage(project.read(`built/${file}`), { path: null, file })
}

/** Everything a visitor reads or hears: text, labels, and what search engines show. */
function wordsOf(root: Element): string {
  const unseen = elements(root).flatMap(element =>
    element.tagName === 'title'
      ? textOf(element)
      : ['aria-label', 'alt', 'content'].map(name => attribute(element, name)),
  )
  return [textOf(root), ...unseen].filter(Boolean).join(' · ')
}

/** Removes a part from the file: `name: …,` becomes `name: null,`. */
function remove(file: string, name: string, part: RegExp): void {
  project.edit(file, part, `${name} null,`)
}

/** Throws if an operator has already edited these texts. */
function build(): void {
  for (const claim of ['confidential', 'hipaaProtected', 'rated'])
    remove('content/en/claims.ts', `${claim}:`, new RegExp(`${claim}: .*,`))
  remove('content/en/landing.ts', '', /\{ icon: 'quick'.*\},/)
  remove('content/en/landing.ts', '', /\{\s*question: 'How long does a decision take\?'.*?\n {2}\},/s)
  remove('content/en/landing.ts', 'urgency:', /urgency: \{.*?\n {2}\},/s)
  remove('content/en/advertorial.ts', 'timing:', /timing: \{.*?\n {2}\},/s)
  remove('content/en/advertorial.ts', 'average:', /average: .*,/)
  remove('content/en/thank-you.ts', 'reminder:', /reminder: .*,/)
  project.edit(
    'content/testimonials.ts',
    /(testimonials: readonly Testimonial\[\] =) \[.*?\n\]/s,
    'testimonials: readonly Testimonial[] = []',
  )
  project.edit(
    'content/testimonials.ts',
    /advertorialQuote: Testimonial \| null = \{.*?\n\}/s,
    'advertorialQuote: Testimonial | null = null',
  )
  execFileSync(process.execPath, [join(project.folder, 'build/main.ts'), 'site', '--fast-compression'], {
    env: PROGRAM_ENV,
    stdio: 'pipe',
  })
}

const wordsIn = (file: string) => wordsOf(page(file).root)

specified('a removed part is gone in its language only', () => {
  const removed: Readonly<Record<string, readonly string[]>> = {
    index: [
      '100% confidential',
      'Free and confidential',
      'HIPAA-protected',
      'Rated by Thousands',
      '2-minute eligibility check',
      'How long does a decision take?',
      'Spots Remaining',
      'Secure Your Spot Now',
      'Sample quotes',
    ],
    advertorial: ['Timing Is Critical', 'is the average SSDI benefit', 'Carol', 'Sample quote'],
    'thank-you': ['You pay nothing today'],
  }
  for (const [file, texts] of Object.entries(removed)) {
    for (const text of texts) expect(wordsIn(`${file}.html`)).not.toContain(text)
  }
  const spanish = wordsIn('es/index.html')
  for (const text of [es.claims.confidential, es.claims.rated, landing.urgency?.heading])
    expect(spanish).toContain(text)
})

specified('sentences that made a removed claim read well without it', () => {
  expect(wordsIn('index.html')).toContain('kept confidential? Your information goes to SSDI Advocate, to the advocate')
  // Other badges stay.
  expect(wordsIn('index.html')).toContain('No Fees Unless You Win 100% Secure & HIPAA Compliant Questions?')
})

specified('nothing is left without content: no empty lists, headings, or labels', () => {
  for (const file of ['index', 'advertorial', 'thank-you', 'decline', 'es/index', 'es/advertorial'].map(
    name => `${name}.html`,
  )) {
    const { root } = page(file)
    expect(wordsOf(root), file).not.toMatch(/\b(?:null|undefined)\b/)
    for (const list of elements(root).filter(({ tagName }) => /^(?:ul|ol|dl)$/.test(tagName)))
      expect(attribute(list, 'data-slot') ?? textOf(list), file).not.toBe('')
    const ids = new Set(elements(root).map(element => attribute(element, 'id')))
    for (const section of elements(root, 'section')) {
      const heading = elements(section).find(({ tagName }) => /^h\d$/.test(tagName))
      if (heading) expect(textOf(section).length, file).toBeGreaterThan(textOf(heading).length)
    }
    for (const link of elements(root, 'a')) {
      const href = attribute(link, 'href')
      if (href?.startsWith('#')) expect(ids, `${file}: ${href}`).toContain(href.slice(1))
    }
  }
})
