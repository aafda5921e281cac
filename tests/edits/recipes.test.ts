/**
 * Follows the recipes in CONTRIBUTING.md on one copy of the project, checks its types, runs the tests they name, builds it, and follows
 * the contact field from the visitor's form to the webhook and the desk. “A question” is in docs/content.md, too, and
 * tests/edits/content-recipes.test.ts builds it. The same build shows what `show = false` does: it hides a claim, badge, quote, or
 * section, and the page still makes sense.
 */

import { execFile } from 'node:child_process'
import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill } from '../../domain/text/fill.ts'
import { attribute, type BuiltPage, type Element, elements, parsePage, textOf } from '../../launch/page.ts'
import { STORE_VERSION } from '../../server/store/schema.ts'
import { makeFolder } from '../../site-folder/new-folder.ts'
import { words } from '../../site-folder/site.ts'
import { allQuestions, yearOfBirth } from '../support/answers.ts'
import { journeyLaunchOptions } from '../support/chromium.ts'
import { copyProject } from '../support/copied-project.ts'
import { joinDesk } from '../support/desk-accounts.ts'
import { PROGRAM_ENV, spawnDesk, spawnServer } from '../support/processes.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'

/** Adds the text before the anchor. */
type Addition = readonly [file: string, anchor: string, text: string]

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: source code
const additions: Readonly<Record<string, readonly Addition[]>> = {
  'A page': [
    ['site-folder/schema/texts.ts', '  questionnaire,\n', '  press: group({ ...metadata, heading: text() }),\n'],
    ...['en', 'es'].map(
      (language): Addition => [
        `content/${language}.toml`,
        '[notFound]',
        '[press]\ntitle = "Press"\ndescription = "For journalists."\nheading = "Press"\n\n',
      ],
    ),
    ['site/static/pages.ts', 'import { notFoundPage', "import { pressPage } from './pages/press.tsx'\n"],
    [
      'site/static/pages.ts',
      '    declinePage(',
      "    pressPage(pathInLanguage(language, '/press'), words[language].press, site),\n",
    ],
    ['site-folder/read-pages.ts', "  'decline',\n", "  'press',\n"],
  ],
  'A contact field': [
    [
      'domain/contact/contact-fields.ts',
      '} as const satisfies',
      "  bestTime: { kind: 'text', maxLength: 100, tooLong: 'nameTooLong', autoComplete: 'off', inDraft: true },\n",
    ],
    ['domain/contact/contact-fields.ts', "  phone: 'Phone number',\n", "  bestTime: 'Best time to call',\n"],
    ['content/en.toml', '[contactForm.fields.email]', '[contactForm.fields.bestTime]\nlabel = "Best time to call"\n\n'],
    [
      'content/es.toml',
      '[contactForm.fields.email]',
      '[contactForm.fields.bestTime]\nlabel = "Mejor hora para llamar"\n\n',
    ],
    ['docs/webhook.md', '      "phone": "(555) 010-0199",', '      "bestTime": "evening",\n'],
    ['server/delivery/webhook.test.ts', "  phone: '(555) 210-0199',\n}", "  bestTime: 'evening',\n"],
    ['server/delivery/webhook.test.ts', "'\nconst delivered =", '&bestTime=evening'],
  ],
  'Something that happens to leads': [
    ['domain/events/lead-events.ts', "  'note added': ByStaff", '  flagged: ByStaff\n'],
    [
      'domain/events/lead-events.ts',
      "  'note added': { text",
      "  flagged: { text: 'Flagged', did: 'flagged this', recorded: always, ...plain },\n",
    ],
    [
      'domain/events/lead-events.test.ts',
      "  ['Received', {",
      "  ['Flagged, by Maria Lopez', { kind: 'flagged', by }],\n",
    ],
  ],
  'A lead action': [
    [
      'server/store/operations/leads/review.ts',
      '    /**\n     * Rejected leads are kept',
      `    /** Marks leads for a second look. */
    flag: ({ ids, by }: ReviewOrder) =>
      transact(async tx => {
        for (const leadId of ids) await addHistory(tx, { leadId, event: { kind: 'flagged', by } })
        return ids.length
      }),

`,
    ],
    [
      'domain/leads/lead-actions.ts',
      "  'add note': {",
      `  flag: {
    label: 'Flag',
    role: 'editor',
    icon: 'check',
    applies: isOpen,
    done: () => 'Flagged.',
  },
`,
    ],
    [
      'server/store/operations/leads/who-did-it.test.ts',
      '  resend: (store, id)',
      '  flag: (store, id) => store.flag({ ids: [id], by }),\n',
    ],
    ['domain/leads/lead-actions.test.ts', "'allow calls', 'erase',", "'flag', "],
    [
      'desk/server/leads/actions.ts',
      "  v.object({ action: v.literal('add note')",
      "  v.object({ action: v.literal('flag') }),\n",
    ],
    [
      'desk/server/leads/actions.ts',
      "  'add note': ({ store }",
      '  flag: ({ store }, { id }, _, by) => store.flag({ ids: [id], by }),\n',
    ],
  ],
  'A call outcome': [
    [
      'domain/calling/outcomes.ts',
      "  'never call again': {",
      `  'no longer needs help': {
    label: 'Talked: has help already',
    key: 'p',
    reached: true,
    follows: 'end',
    answersOtherNumbers: false,
    stops: null,
    done: 'Has help already',
  },
`,
    ],
    ['docs/first-day.md', '| Never call again ', '| Talked: has help already | someone else helps them |\n'],
    ['docs/webhook.md', '`never call again`, or `undone`.', '`no longer needs help`, '],
  ],
  'A filter for leads': [
    [
      'domain/leads/lead-filters.ts',
      "  page: listed({ label: 'Page'",
      "  certificate: choice({ label: 'Certificate', values: ['with', 'without'], nameOf: value => `${value} a certificate` }),\n",
    ],
    [
      'server/store/facts/leads/filter.ts',
      '  page: (page, parameter) =>',
      "  certificate: kind => [`leads.certificate_id IS ${kind === 'with' ? 'NOT ' : ''}NULL`],\n",
    ],
  ],
  'A figure on Today': [
    [
      'desk/server/today.ts',
      "      dead: figure(dead, { delivery: 'dead' }),",
      "      uncertified: await counted({ from: today, certificate: 'without' }),\n",
    ],
    [
      'desk/browser/features/today/figures.tsx',
      '          <AttentionItem\n            count={failed}',
      `          <AttentionItem
            count={data.waiting.uncertified.count}
            href={hrefOfFilter(data.waiting.uncertified.filter)}
            icon="alert"
            tone={amber}
            text="without a certificate"
            note="Received today"
          />
`,
    ],
  ],
  'A desk page': [
    ['desk/routes.ts', "  '/health': {", "  '/reports': { title: 'Reports', icon: 'chart', role: 'editor' },\n"],
    [
      'desk/browser/app.tsx',
      'const Setup = lazy',
      "const Reports = lazy(async () => ({ default: (await import('./features/reports/reports.tsx')).Reports }))\n",
    ],
    ['desk/browser/app.tsx', "  '/people': People,", "  '/reports': Reports,\n"],
  ],
  'A migration': [
    [
      'server/store/schema.ts',
      '    notes: `',
      '    office_closings: `\n      CREATE TABLE office_closings (day ${TEXT} PRIMARY KEY) ${STRICT};`,\n',
    ],
    [
      'server/store/upgrade.ts',
      '])\n\n/** Whether a store',
      `, [${STORE_VERSION}, { upgrade: ddl => schema(ddl).office_closings, freeSpace: 0 }]`,
    ],
    ['server/store/upgrade.ts', 'type SchemaDdl, STORE_VERSION }', 'schema, '],
    ['server/store/operations/leads/erasure.test.ts', 'outbox page_counts', 'office_closings '],
  ],
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: source code

const newFiles: Readonly<Record<string, string>> = {
  'site/static/pages/press.tsx': `import type { PageMetadata } from '../../../site-folder/types.ts'
import { fileAt, type Page, plainPage, type SiteCopy } from '../page.ts'

export const pressPage = (path: string, copy: PageMetadata & { readonly heading: string }, site: SiteCopy): Page => ({
  ...plainPage(path, fileAt(path), copy, site),
  render: () => <h1>{copy.heading}</h1>,
})
`,
  'desk/server/leads/flagged.test.ts': `import { expect, test } from 'vitest'
import { describeLeadEvent } from '../../../domain/events/lead-events.ts'
import { bodyOf, deskPerTest } from '../../../tests/support/desk-harness.ts'
import { recordPath } from '../../limits.ts'
import type { readLead } from './lead.ts'

const harness = deskPerTest()

test('a new event is in the timeline, the contact record, and the CSV', async () => {
  const { maria } = harness
  const id = await harness.capture('Ada')
  await maria.fetch(\`/api/leads/\${id}/actions\`, { body: { action: 'flag' } })
  const { timeline } = await bodyOf<NonNullable<Awaited<ReturnType<typeof readLead>>>>(maria.fetch(\`/api/leads/\${id}\`))
  expect(timeline.map(({ event }) => describeLeadEvent(event, () => '').text)).toContain('Flagged')
  expect(await (await maria.fetch(recordPath(id))).text()).toContain('<bdi>Flagged</bdi></td>')
  const csv = await maria.fetch('/api/leads/export', { body: { filter: {} } })
  expect(await csv.text()).toContain(', Maria Lopez: Flagged"')
})
`,
  'desk/server/leads/certificates.test.ts': `import { expect, test } from 'vitest'
import { certificateUrl } from '../../../domain/leads/certificate.ts'
import { bodyOf, deskPerTest } from '../../../tests/support/desk-harness.ts'

const harness = deskPerTest()

test('a new filter finds its leads', async () => {
  await harness.capture('ada')
  await harness.capture('bob', { certificate: { kind: 'present', url: certificateUrl('b'.repeat(40)) } })
  await harness.capture('carl')
  const total = (certificate: string) =>
    bodyOf(harness.maria.fetch('/api/leads/count', { body: { filter: { certificate } } }))
  expect(await total('with')).toMatchObject({ total: 1 })
  expect(await total('without')).toMatchObject({ total: 2 })
})
`,
  'desk/browser/features/reports/reports.tsx': `import { Page } from '../../shell/page.tsx'

export const Reports = () => <Page title="Reports">None yet.</Page>
`,
}

const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('\n## Recipes\n')
const recipes = (section.split('\n## ')[0] ?? '').split('\n### ').slice(1)

const { es } = words
const { consent, contactForm, questionnaire } = words.en

const project = copyProject('engineer-recipes')
const cleanUp: (() => unknown)[] = []

beforeAll(() => {
  for (const [file, text] of Object.entries(newFiles)) {
    mkdirSync(dirname(join(project.folder, file)), { recursive: true })
    writeFileSync(join(project.folder, file), text)
  }
  for (const [file, anchor, text] of Object.values(additions).flat()) {
    expect(project.read(file).split(anchor), `${anchor} is in ${file} once`).toHaveLength(2)
    project.edit(file, anchor, text + anchor)
  }
  project.edit('server/store/schema.ts', `STORE_VERSION = ${STORE_VERSION}`, `STORE_VERSION = ${STORE_VERSION + 1}`)
  hideParts()
})

afterAll(async () => {
  for (const step of cleanUp.toReversed()) await step()
})

const FOLDER = 'our-site'

/** The folder of an organization that hides what it can't prove, and parts of English pages. */
function hideParts(): void {
  const folder = join(project.folder, FOLDER)
  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder, '0.9.0')
  const hide = (...sections: readonly string[]) => sections.map(section => `[${section}]\nshow = false\n`).join('\n')
  const claims = ['confidential', 'hipaaProtected', 'rated'].map(name => `claims.${name}`)
  writeFileSync(join(folder, 'evidence.toml'), `[testimonials]\norder = []\n\n${hide(...claims, 'advertorialQuote')}`)
  const sections = [
    'landing.hero.promises.quick',
    'landing.faq.decision-time',
    'landing.urgency',
    'advertorial.timing',
    'advertorial.average',
  ]
  appendFileSync(join(folder, 'en.toml'), `\n[thankYou]\nreminder = ""\n\n${hide(...sections)}`)
}

test('each recipe in CONTRIBUTING.md is followed, and says which tests to run', () => {
  const titles = recipes.map(recipe => recipe.split('\n')[0])
  expect(titles).toEqual(expect.arrayContaining(Object.keys(additions)))
  expect(titles.filter(title => !(String(title) in additions))).toEqual(['A question'])
  for (const recipe of recipes) expect(recipe).toMatch(/^Run `npx vitest run [\w/. -]+`/m)
})

/** What the program printed if it failed; empty otherwise. */
const failureOf = async (program: string, ...args: readonly string[]) => {
  const settings = { PATH: process.env['PATH'], SITES: 'built', SITE_FOLDER: FOLDER }
  const options = { cwd: project.folder, env: { ...PROGRAM_ENV, ...settings } }
  const run = promisify(execFile)(process.execPath, [join(project.folder, program), ...args], options)
  return run.then(
    () => '',
    error => `${error.stdout}${error.stderr}` || String(error),
  )
}

test('with all recipes followed, the project compiles, and the tests that they name pass', async () => {
  const named = recipes.flatMap(recipe => /^Run `npx vitest run ([\w/. -]+)`/m.exec(recipe)?.[1]?.split(' ') ?? [])
  const added = Object.keys(newFiles).filter(file => file.endsWith('.test.ts'))
  const tests = [...new Set([...named.filter(path => !path.startsWith('tests/edits')), ...added])]
  const isTest = (file: string) => file.endsWith('.test.ts')
  const files = tests.flatMap(path => (isTest(path) ? path : globSync(`${path}/**/*.test.ts`, { cwd: project.folder })))
  const exclude = ['node_modules', 'built', 'dist', 'compiled', '.cache', 'bench', 'tools', 'tests', '**/*.test.ts']
  const compiled = { extends: './tsconfig.json', files, exclude }
  writeFileSync(join(project.folder, 'tsconfig.recipes.json'), JSON.stringify(compiled))
  // Several checkers would check some types more than once, and other tests keep the other cores busy.
  const typeCheck = ['--pretty', 'false', '--checkers', '1', '--project', 'tsconfig.recipes.json']
  expect(await failureOf('node_modules/typescript/bin/tsc', ...typeCheck)).toBe('')
  // One worker loads the modules once, and recipes have nothing to do with the engine.
  const onSqlite = ['--maxWorkers', '1', '--testNamePattern', '^(?!.*on [Pp]ostgre)']
  expect(await failureOf('node_modules/vitest/vitest.mjs', 'run', ...onSqlite, ...tests)).toBe('')
})

describe('built with all recipes followed', () => {
  beforeAll(async () => {
    expect(await failureOf('build/main.ts', '--fast-compression')).toBe('')
  })

  async function started<Process extends ReturnType<typeof spawnServer> | ReturnType<typeof spawnDesk>>(
    process: Process,
  ) {
    cleanUp.push(async () => {
      process.child.kill('SIGTERM')
      await process.exit
    })
    return process.url
  }

  test('a visitor’s best time to call reaches the webhook and the desk', async () => {
    const webhook = new MisbehavingWebhook()
    await webhook.up()
    cleanUp.push(() => webhook.down())
    const env = { DATA_DIR: join(project.folder, 'data'), LEAD_WEBHOOK_URL: webhook.url }

    const browser = await chromium.launch(journeyLaunchOptions())
    cleanUp.push(() => browser.close())
    const page = await browser.newPage()
    // Generous, for a busy machine.
    page.setDefaultTimeout(120_000)
    await page.goto(await started(spawnServer(env, { folder: project.folder })))
    for (const { number, requiredAnswer } of allQuestions) {
      await page
        .getByRole('heading', { name: fill(questionnaire.place, { number: number, total: allQuestions.length }) })
        .waitFor()
      await page
        .getByRole('button', { name: requiredAnswer ? questionnaire.yes : questionnaire.no, exact: true })
        .click()
    }
    const { fields } = contactForm
    for (const [label, value] of [
      [fields.firstName.label, 'Margaret'],
      [fields.lastName.label, 'Hamilton'],
      [`${fields.dateOfBirth.parts?.month}`, '8'],
      [`${fields.dateOfBirth.parts?.day}`, '17'],
      [`${fields.dateOfBirth.parts?.year}`, `${yearOfBirth}`],
      [fields.email.label, 'margaret@example.org'],
      [fields.phone.label, '5552345678'],
      [fill(contactForm.optional, { label: 'Best time to call' }), 'After 5 PM'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value)
    }
    // One of the six may stay empty.
    expect(await page.getByText(contactForm.allRequired).count()).toBe(0)
    await page.getByRole('button', { name: consent.button }).click()
    await page.waitForURL('**/thank-you')
    await expect.poll(() => webhook.deliveries.map(({ query }) => query['bestTime'])).toEqual(['After 5 PM'])

    const desk = await started(spawnDesk(env, project.folder))
    // The copy's own: its store has one more migration.
    const { connectStore }: typeof import('../../server/store/open-store.ts') = await import(
      join(project.folder, 'server/store/open-store.ts')
    )
    const store = await connectStore({ dataDir: env.DATA_DIR, databaseUrl: null }, { access: 'write' })
    cleanUp.push(() => store.close())
    const context = await browser.newContext()
    await context.addCookies([{ name: 'desk', value: (await joinDesk(store, 'Maria', 'viewer')).token, url: desk }])
    const deskPage = await context.newPage()
    deskPage.setDefaultTimeout(120_000)
    await deskPage.goto(`${desk}/leads`)
    await deskPage.getByRole('link', { name: 'Margaret Hamilton' }).click()
    await deskPage.getByText('Best time to call').waitFor()
    await deskPage.getByText('After 5 PM').waitFor()
  })

  const page = (file: string): BuiltPage => parsePage(project.read(`built/${file}`), { path: null, file })

  /** Everything a visitor reads or hears: text, labels, and what search engines show. */
  function wordsOf(root: Element): string {
    const unseen = elements(root).flatMap(element =>
      element.tagName === 'title'
        ? textOf(element)
        : ['aria-label', 'alt', 'content'].map(name => attribute(element, name)),
    )
    return [textOf(root), ...unseen].filter(Boolean).join(' · ')
  }

  const wordsIn = (file: string) => wordsOf(page(file).root)

  test('a hidden part is gone in its language only, and a hidden claim in all', () => {
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
    expect(spanish).toContain(es.landing.urgency?.heading)
    for (const claim of [es.claims.confidential, es.claims.rated]) expect(spanish).not.toContain(claim)
  })

  test('sentences that made a hidden claim read well without it', () => {
    expect(wordsIn('index.html')).toContain(
      'kept confidential? Your information goes to SSDI Advocate, to the advocate',
    )
    // Other badges stay.
    expect(wordsIn('index.html')).toContain('No Fees Unless You Win 100% Secure & HIPAA Compliant Questions?')
  })

  test('nothing is left without content: no empty lists, headings, or labels', () => {
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
        // A script shows some sections, so they're hidden here.
        const parts = section.childNodes.filter(part => 'tagName' in part).map(textOf)
        if (heading) expect(parts.join(' ').length, file).toBeGreaterThan(textOf(heading).length)
      }
      for (const link of elements(root, 'a')) {
        const href = attribute(link, 'href')
        if (href?.startsWith('#')) expect(ids, `${file}: ${href}`).toContain(href.slice(1))
      }
    }
  })
})
