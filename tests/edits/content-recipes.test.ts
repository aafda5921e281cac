/** Follows every recipe in docs/content.md in a folder of its own, and reads what the site then says. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { formatFinding } from '../../site-folder/findings.ts'
import { makeFolder } from '../../site-folder/new-folder.ts'
import { readSite } from '../../site-folder/read-site.ts'
import type { SiteData } from '../../site-folder/types.ts'
import { newFolder } from '../support/after-test.ts'

interface Recipe {
  readonly title: string
  readonly files: readonly (readonly [name: string, text: string])[]
}

const recipes: readonly Recipe[] =
  readFileSync('docs/content.md', 'utf8')
    .split('\n## Recipes\n')[1]
    ?.split('\n## ')[0]
    ?.split('\n### ')
    .slice(1)
    .map(section => ({
      title: section.split('\n')[0] ?? '',
      files: [...section.matchAll(/^`([\w.]+)`\n\n```toml\n(.*?)\n```/gms)].map(
        ([, name = '', text = '']) => [name, text] as const,
      ),
    })) ?? []

/** The site of a new organization that follows the recipe. */
async function siteWith({ files }: Recipe): Promise<SiteData> {
  const folder = join(newFolder(), 'our-site')
  makeFolder(folder, '0.9.0')
  for (const name of ['organization', 'en', 'es'])
    writeFileSync(join(folder, `${name}.toml`), name === 'organization' ? 'format = 1\n' : '')
  for (const [name, text] of files)
    writeFileSync(join(folder, name), name === 'organization.toml' ? `format = 1\n${text}` : text)
  writeFileSync(join(folder, 'pictures/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>')
  await sharp({ create: { width: 9, height: 6, channels: 3, background: '#7a9' } }).toFile(
    join(folder, 'pictures/team.jpg'),
  )
  const { data, findings } = readSite(folder)
  expect(findings.filter(({ level }) => level === 'error').map(formatFinding)).toEqual([])
  return data as SiteData
}

interface Shown {
  readonly of: (site: SiteData) => unknown
  readonly has: readonly string[]
  readonly lacks?: readonly string[]
}

const english = ({ words }: SiteData) => words.en
const facts = ({ words: _, texts: __, places: ___, ...site }: SiteData) => site

const shownBy: Readonly<Record<string, Shown>> = {
  'Use your name, logo, and colors': {
    of: site => [english(site), facts(site)],
    has: ['| Example Advocates"', 'I give Example Advocates LLC my', '#1d4f91', 'logo.svg'],
    lacks: ['SSDI Advocate', '#1e6b4b'],
  },
  'Say how people reach you': {
    of: site => [site.organization, site.words],
    has: [
      'call us at 800-555-0142',
      'I can call 800-555-0142',
      'Dial 711 first.',
      'help@example.org',
      'Monday to Friday, 9',
      '100 Main Street',
      'en nuestro horario (de lunes a viernes',
      'Cuándo llamamos',
      '"callbacks":{"en":{"hours":"Mon-Fri 9:00-18:00","timeZone":"Eastern"}}',
    ],
    lacks: ['833-243'],
  },
  'Say who speaks Spanish': {
    of: ({ words }) => words.es,
    has: ['Contestamos en español.', 'Le llamaremos en español.', 'STOP (o ALTO)'],
    lacks: ['le contesten en inglés', 'Luis'],
  },
  'Update a figure': { of: english, has: ['Up to $4,152/Month in', 'up to $4,152/Month. Free'], lacks: ['$4,018'] },
  'Add a question': {
    of: site => [english(site), site.questions],
    has: ['treated by a doctor?', 'Answer seven yes/no', 'Seven questions', '"id":"seesDoctor"'],
  },
  'Change the questions': {
    of: site => [site.questions.map(({ id }) => id).slice(0, 3), english(site)],
    has: [
      '"outOfWorkDueToCondition","workedFiveOfTenYears","receivesSsdi"',
      'Five questions',
      '12 months or more?',
      '50 or Older and Unable',
      'Is your age between 50 and 64?',
    ],
    lacks: ['at least 1 year?', '55 or Older', 'between 55'],
  },
  'Change what a page says': {
    of: site => [english(site), site.words.en.landing.faq?.items.map(({ question }) => question), site.publishedOn],
    has: [
      'Too Sick to Work? You May Be Owed Up to $4,018/Month',
      'Check My Eligibility',
      '["Can I work part-time while I apply?","What does your help cost?"',
      '2026-10-01',
    ],
    lacks: ['Get Started Now', '-minute eligibility check"'],
  },
  'Test a second headline': {
    of: ({ headlineVariants }) => headlineVariants,
    has: ['"name":"plain"', 'Disabled and out', '"es":null'],
  },
  'Add a landing page for a campaign': {
    of: ({ landingPages }) => landingPages,
    has: [
      '"path":"/veterans"',
      'SSDI for Veterans',
      'Veteran Who Can’t Work?',
      'What does your help cost?',
      '"es":null',
    ],
  },
  'Replace the testimonials': {
    of: facts,
    has: ['Denise', 'what came next."},"sample"', '"advertorialQuote":null'],
    lacks: ['Linda'],
  },
  'Take out a claim or the scarcity line': {
    of: ({ words }) => words,
    has: ['"urgency":null', '"rated":null', 'No Fees Unless You Win'],
    lacks: ['Rated by Thousands', 'Miles de personas', '23', 'Secure Your Spot'],
  },
  'Replace a picture': {
    of: site => [english(site), facts(site)],
    has: ['Our team at a table full of papers', '"file":"team.jpg"'],
    lacks: ['sorting papers'],
  },
}

test('every recipe is tried', () => {
  expect(recipes.map(({ title }) => title).toSorted()).toEqual(Object.keys(shownBy).toSorted())
})

describe.each(recipes)('$title', recipe => {
  test('works as written', async () => {
    const { of, has, lacks = [] } = shownBy[recipe.title] ?? { of: () => '', has: ['an entry above'] }
    const said = JSON.stringify(of(await siteWith(recipe)))
    expect(has.filter(text => !said.includes(text))).toEqual([])
    expect(lacks.filter(text => said.includes(text))).toEqual([])
  })
})
