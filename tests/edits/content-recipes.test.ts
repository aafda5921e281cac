/** Follows every recipe in docs/content.md on a copy of the project, builds it, and checks the pages. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { specified } from '../specification/specified.ts'
import { copyProject } from '../support/copied-project.ts'
import { PROGRAM_ENV } from '../support/processes.ts'

interface Edit {
  readonly file: string
  /** The lines to find, and the lines that replace them. */
  readonly before: string
  readonly after: string
}

interface Recipe {
  readonly title: string
  readonly edits: readonly Edit[]
}

function readRecipes(): Recipe[] {
  const [, ...sections] = readFileSync('docs/content.md', 'utf8').split('\n### ')
  return sections.map(section => {
    const [title = ''] = section.split('\n')
    // Each diff belongs to the first file named since the previous one.
    const edits = [...section.matchAll(/`(content\/[\w/-]+\.ts)`.*?```diff\n(.*?)\n```/gs)].map(
      ([, file = '', diff = '']): Edit => {
        const linesWithout = (sign: '+' | '-') =>
          `\n${diff
            .split('\n')
            .filter(line => !line.startsWith(sign))
            .map(line => line.slice(1))
            .join('\n')}\n`
        return { file, before: linesWithout('+'), after: linesWithout('-') }
      },
    )
    if (edits.length === 0) throw new Error(`“${title}” has no file name or no diff.`)
    return { title, edits }
  })
}

interface Shown {
  /** The landing page by default. */
  readonly page?: 'variants/index-plain' | 'veterans' | 'advertorial' | 'thank-you' | 'es/index'
  readonly has: readonly string[]
  readonly lacks?: readonly string[]
}

/** The marketer's own. */
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3"/></svg>'

/** Applied last, because the others change Spanish pages too. */
const SPANISH_OFF = 'Turn Spanish off'

/** What each recipe changes on a page. */
const shownBy: Readonly<Record<string, Shown>> = {
  'Change the phone number': {
    has: ['>800-555-0142<', 'href="tel:+18005550142"', '"+18005550142"'],
    lacks: ['833-243', '+1833'],
  },
  'Use your name, logo, and colors': {
    has: ['| Example Advocates</title>', 'I give Example Advocates my', '"name":"Example Advocates"', '#1d4f91'],
    lacks: ['SSDI Advocate', '#1e6b4b'],
  },
  'Show an email address, hours, and an address': {
    has: ['href="mailto:help@example.org"', 'Hours: Monday to Friday', '100 Main Street, Springfield, IL 62701'],
  },
  "Say when you'll call": {
    page: 'thank-you',
    has: ['data-today="We&#x27;ll call you today before 6:00\u00a0PM Eastern."'],
  },
  'Say that you take relay calls': { has: ['Deaf or hard of hearing? Dial 711 first.'] },
  'Say who speaks Spanish': {
    page: 'es/index',
    has: ['Contestamos en español.', 'Le llamaremos en español.', 'STOP (o ALTO)'],
    lacks: ['en inglés.', 'Luis'],
  },
  'Update a figure': { has: ['Up to $4,152/Month', 'benefits of up to $4,152/Month. Free'], lacks: ['$4,018'] },
  'Change the age range': {
    page: 'advertorial',
    has: ['50 or Older and Unable', 'Is your age between 50 and 64?'],
    lacks: ['55 or Older', 'between 55'],
  },
  'Reword a question': { has: ['12 months or more?'], lacks: ['at least 1 year?'] },
  'Add a question': {
    has: ['Are you being treated by a doctor?', 'Answer seven yes/no questions', 'of 7</span>', 'name="question-7"'],
    lacks: ['six yes/no', 'Six questions', 'of 6</span>'],
  },
  'Swap two questions': { has: ['Have you worked 5', 'Are you currently getting SSDI'] },
  'Reword one language': { page: 'es/index', has: ['>Empezar la evaluación<'], lacks: ['Empiece ahora'] },
  [SPANISH_OFF]: { has: ['<h1'], lacks: ['Español', 'hreflang'] },
  'Reword the headline': { has: ['<h1', 'Too Sick to Work? You May Be Owed'], lacks: ['You May Qualify for Up to'] },
  'Test a second headline': {
    page: 'variants/index-plain',
    has: ['Disabled and out of work?</h1>', 'Find out in two minutes whether'],
    lacks: ['Too Sick to Work'],
  },
  'Add a landing page for a campaign': {
    page: 'veterans',
    has: ['<title>SSDI for Veterans</title>', 'Are You a Veteran Who Can’t Work?', 'What does your help cost?'],
    lacks: ['Disabled and out of work?'],
  },
  'Change the text on a button': { has: ['>Check My Eligibility<'], lacks: ['Get Started Now'] },
  'Replace a testimonial': { has: ['Denise', 'They returned every call'], lacks: ['Linda'] },
  'Add a question to the FAQ': { has: ['Can I work part-time while I apply?', 'What does your help cost?'] },
  'Link to a privacy policy on another site': {
    has: ['href="https://www.example.org/privacy"', 'explains how my information is used.'],
  },
  'Remove a claim, badge, quote, or section': {
    has: ['No Fees Unless You Win'],
    lacks: ['Rated by Thousands', '2-minute eligibility check', 'null'],
  },
  'Show a fixed date on the advertorial': {
    page: 'advertorial',
    has: ['<time class="block" dateTime="2026-10-01">October 1, 2026</time>'],
    lacks: ['a month is the average', 'data-months'],
  },
  'Replace a picture': {
    has: ['alt="Our team at a table full of papers"', '.webp 640w', 'width="900" height="600"'],
    lacks: ['sorting papers'],
  },
  'Change the consent': { has: ['at most four messages a month'], lacks: ['Message frequency varies'] },
}

/** Problems with the built page, if any. */
function problemsIn(html: string, { has, lacks = [] }: Shown): string[] {
  const read = html.replaceAll(/<[^>]*>/g, '')
  const shows = (text: string) => html.includes(text) || read.includes(text)
  return [
    ...has.filter(text => !shows(text)).map(text => `“${text}” is missing`),
    ...lacks.filter(shows).map(text => `“${text}” is still there`),
  ]
}

test('docs/content.md has at least a dozen recipes, and each has an entry above', () => {
  const titles = readRecipes().map(({ title }) => title)
  expect(titles.length).toBeGreaterThanOrEqual(12)
  expect(titles.toSorted()).toEqual(Object.keys(shownBy).toSorted())
})

specified('each recipe in docs/content.md applies as written, and the pages show it', async () => {
  const { folder, edit, read } = copyProject('recipes')
  const apply = ({ title, edits }: Recipe) => {
    for (const { file, before, after } of edits) {
      expect(read(file).split(before), `“${title}”: its lines are in ${file} exactly once`).toHaveLength(2)
      edit(file, before, after)
    }
  }
  const recipes = readRecipes()
  for (const recipe of recipes.filter(({ title }) => title !== SPANISH_OFF)) apply(recipe)
  const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a9' } })
  await photo.jpeg().toFile(join(folder, 'content/pictures/team.jpg'))
  writeFileSync(join(folder, 'content/pictures/logo.svg'), LOGO)
  const build = (...options: readonly string[]) => {
    const args = [join(folder, 'build/main.ts'), 'site', '--fast-compression', ...options]
    return promisify(execFile)(process.execPath, args, { env: PROGRAM_ENV })
  }
  const { [SPANISH_OFF]: withoutSpanish, ...others } = shownBy
  const problemsOf = (all: typeof shownBy) =>
    Object.entries(all).flatMap(([title, { page = 'index', ...shown }]) =>
      problemsIn(read(`built/${page}.html`), shown).map(problem => `${title}: on ${page}, ${problem}`),
    )
  // The second build checks the types.
  await build('--types-checked')
  expect(problemsOf(others)).toEqual([])
  expect(globSync('built/**/*.svg', { cwd: folder }).map(read)).toContainEqual(
    expect.stringContaining('<circle cx="4"'),
  )
  const [swapped = '', other = ''] = shownBy['Swap two questions']?.has ?? []
  expect(read('built/index.html').indexOf(swapped)).toBeLessThan(read('built/index.html').indexOf(other))
  // Once on each page: next to its main phone number.
  for (const page of globSync('built/**/*.html', { cwd: folder }))
    expect([page, read(page).match(/Dial 711 first|Marque primero el 711/g)?.length]).toEqual([page, 1])
  // Visitors get only one headline, so a variant is about the same size as the original page.
  const [page, variant] = ['index', 'variants/index-plain'].map(
    name => statSync(join(folder, `built/${name}.html.br`)).size,
  )
  expect(Math.abs(Number(variant) - Number(page))).toBeLessThan(100)

  for (const recipe of recipes.filter(({ title }) => title === SPANISH_OFF)) apply(recipe)
  await build()
  expect(problemsOf({ [SPANISH_OFF]: withoutSpanish as Shown })).toEqual([])
  expect(existsSync(join(folder, 'built/es'))).toBe(false)
})
