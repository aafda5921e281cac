/**
 * Follows the recipes in CONTRIBUTING.md on one copy of the project, checks its types, and runs the tests they name. “A question” is
 * in docs/content.md, too, and tests/edits/content-recipes.test.ts builds it.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { STORE_VERSION } from '../../server/store/schema.ts'
import { copyProject } from '../support/copied-project.ts'
import { PROGRAM_ENV } from '../support/processes.ts'

/** Adds the text before the anchor. */
type Addition = readonly [file: string, anchor: string, text: string]

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: source code
const additions: Readonly<Record<string, readonly Addition[]>> = {
  'A page': [
    ...['en', 'es'].flatMap((language): Addition[] => [
      [`content/${language}/words.ts`, 'import { questions }', "import { press } from './press.ts'\n"],
      [`content/${language}/words.ts`, '  questionnaire,', '  press,\n'],
    ]),
    ['content/texts.ts', "    'decline.ts':", "    'press.ts': said.press,\n"],
    ['site/static/pages.ts', 'import { notFoundPage', "import { pressPage } from './pages/press.tsx'\n"],
    [
      'site/static/pages.ts',
      '    declinePage(',
      "    pressPage(pathIn(language, '/press'), words[language].press, site),\n",
    ],
    ['site/static/pages.ts', "    '/decline',\n", "    '/press',\n"],
  ],
  'A contact field': [
    [
      'domain/contact-fields.ts',
      '} as const satisfies',
      "  bestTime: { kind: 'text', maxLength: 100, tooLong: 'nameTooLong', autoComplete: 'off', inDraft: true },\n",
    ],
    ['domain/contact-fields.ts', "  phone: 'Phone',\n", "  bestTime: 'Best time to call',\n"],
    ['content/en/contact-form.ts', '  },\n  optional:', "    bestTime: { label: 'Best time to call' },\n"],
    ['content/es/contact-form.ts', '  },\n  optional:', "    bestTime: { label: 'Mejor hora para llamar' },\n"],
    ['docs/webhook.md', '      "phone": "(555) 010-0199",', '      "bestTime": "evening",\n'],
    ['server/delivery/webhook.test.ts', "  phone: '(555) 210-0199',\n}", "  bestTime: 'evening',\n"],
    ['server/delivery/webhook.test.ts', "'\nconst delivered =", '&bestTime=evening'],
  ],
  'A lead action': [
    [
      'server/store/leads/review.ts',
      '    /**\n     * Rejected leads are kept',
      `    /** Marks leads for a second look. */
    flag: ({ ids, by }: ReviewOrder) =>
      transact(async (sql, at) => {
        for (const leadId of ids) await addHistory(sql, { leadId, at, event: 'flagged', detail: { by } })
        return ids.length
      }),

`,
    ],
    [
      'domain/lead-actions.ts',
      "  'add note': {",
      `  flag: {
    label: 'Flag',
    role: 'editor',
    about: 'Mark leads for a second look.',
    icon: 'check',
    applies: isOpen,
    done: () => 'Flagged.',
    event: 'flagged',
    timeline: 'Flagged',
  },
`,
    ],
    [
      'server/store/leads/who-did-it.test.ts',
      '  async resend({ store',
      '  flag: async ({ store }, id) => () => store.flag({ ids: [id], by }),\n',
    ],
    ['domain/lead-actions.test.ts', "'allow calls', 'erase',", "'flag', "],
    [
      'desk/server/leads/actions.ts',
      "  object({ action: literal('add note')",
      "  object({ action: literal('flag') }),\n",
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
    key: '=',
    reached: true,
    follows: 'end',
    answersOtherNumbers: false,
    blocks: [],
    done: 'Has help already',
  },
`,
    ],
    ['docs/calls.md', '| Never call again       | no more calls', '| Talked: has help already | no more calls |\n'],
    ['docs/webhook.md', '`never call again`, or `undone`.', '`no longer needs help`, '],
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
    ['server/store/leads/erasure.test.ts', 'outbox page_counts', 'office_closings '],
  ],
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: source code

const newFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['en', 'es'].map(language => [
      `content/${language}/press.ts`,
      "export const press = { title: 'Press', description: 'For journalists.', heading: 'Press' } as const\n",
    ]),
  ),
  'site/static/pages/press.tsx': `import type { PageMetadata } from '../../../content/types.ts'
import { fileAt, type Page, plainPage, type SiteCopy } from '../page.ts'

export const pressPage = (path: string, copy: PageMetadata & { readonly heading: string }, site: SiteCopy): Page => ({
  ...plainPage(path, fileAt(path), copy, site),
  render: () => <h1>{copy.heading}</h1>,
})
`,
  'desk/browser/features/reports/reports.tsx': `import { Page } from '../../shell/page.tsx'

export const Reports = () => <Page title="Reports">None yet.</Page>
`,
}

const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('\n## Recipes\n')
const recipes = (section.split('\n## ')[0] ?? '').split('\n### ').slice(1)

test('each recipe in CONTRIBUTING.md is followed, and says which tests to run', () => {
  const titles = recipes.map(recipe => recipe.split('\n')[0])
  expect(titles).toEqual(expect.arrayContaining(Object.keys(additions)))
  expect(titles.filter(title => !(String(title) in additions))).toEqual(['A question'])
  for (const recipe of recipes) expect(recipe).toMatch(/^Run `npx vitest run [\w/. -]+`/m)
})

test('with all recipes followed, the project compiles, and the tests that they name pass', async () => {
  const { folder, edit, read } = copyProject('engineer-recipes')
  for (const [file, text] of Object.entries(newFiles)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const [file, anchor, text] of Object.values(additions).flat()) {
    expect(read(file).split(anchor), `${anchor} is in ${file} once`).toHaveLength(2)
    edit(file, anchor, text + anchor)
  }
  edit('server/store/schema.ts', `STORE_VERSION = ${STORE_VERSION}`, `STORE_VERSION = ${STORE_VERSION + 1}`)
  /** What it printed if it failed; empty otherwise. */
  const failureOf = async (program: string, ...args: readonly string[]) => {
    const options = { cwd: folder, env: { ...PROGRAM_ENV, PATH: process.env['PATH'], SITES: 'built' } }
    const run = promisify(execFile)(process.execPath, [join(folder, 'node_modules', program), ...args], options)
    return run.then(
      () => '',
      error => `${error.stdout}${error.stderr}` || String(error),
    )
  }
  const cache = ['--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo']
  expect(await failureOf('typescript/bin/tsc', '--pretty', 'false', ...cache)).toBe('')
  // The contact field and the question have journeys of their own, beside this file.
  const named = recipes.flatMap(recipe => /^Run `npx vitest run ([\w/. -]+)`/m.exec(recipe)?.[1]?.split(' ') ?? [])
  const tests = new Set(named.filter(path => !path.startsWith('tests/edits')))
  expect(await failureOf('vitest/vitest.mjs', 'run', ...tests)).toBe('')
})
