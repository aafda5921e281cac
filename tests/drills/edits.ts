/** Performs the recipes of docs/content.md one after the other on a copy: the pages show each, the tests stay green after each. */
import { execFile, execFileSync } from 'node:child_process'
import { copyToEdit, type EditedCopy } from '../edits/edited-copy.ts'
import type { Recipe } from '../edits/recipes.ts'
import { shownBy } from '../edits/shown.ts'

export interface EditReport {
  readonly edit: string
  /** On which pages it is looked for. */
  readonly shownOn: readonly string[]
  /** What the pages do not show of it, or what the tests say. */
  readonly wrong: readonly string[]
  readonly testsPassed: string
  readonly seconds: number
}

export interface EditDrill {
  /**
   * By its place in docs/content.md, from 1 on: only this edit is looked at, with those before it made. The number after the
   * last one is every unit test with all of them.
   */
  readonly only?: number
  /** Called with each result as it comes in: all of them take an hour. */
  readonly onReport: (report: EditReport) => void
}

/** These look for no word of content/: they are run once, at the end, with all edits made. */
export const WITHOUT_WORDS: readonly string[] = [
  'tests/faults/**',
  'tests/deploy/**',
  'tests/edits/**',
  'server/store/**',
  'server/delivery/**',
]

export async function editOneByOne({ only, onReport }: EditDrill): Promise<readonly EditReport[]> {
  const copy = copyToEdit()
  const reports: EditReport[] = []
  const isAsked = (number: number) => only === undefined || number === only
  const report = (made: EditReport) => {
    reports.push(made)
    onReport(made)
  }
  // A test asks git what it would ignore.
  execFileSync('git', ['init', '--quiet', copy.folder])
  try {
    for (const [index, recipe] of copy.recipes.slice(0, only).entries()) {
      await copy.perform(recipe)
      if (isAsked(index + 1)) report(await tryOut(copy, recipe))
    }
    if (isAsked(copy.recipes.length + 1)) report(await tryAll(copy))
    return reports
  } finally {
    copy.remove()
  }
}

async function tryOut(copy: EditedCopy, recipe: Recipe): Promise<EditReport> {
  const started = performance.now()
  await copy.build()
  const { passed, wrong } = await unitTests(copy.folder, WITHOUT_WORDS)
  return {
    edit: recipe.title,
    shownOn: (shownBy[recipe.title] ?? []).map(({ page }) => page),
    wrong: [...copy.missing(recipe), ...wrong],
    testsPassed: passed,
    seconds: (performance.now() - started) / 1000,
  }
}

async function tryAll(copy: EditedCopy): Promise<EditReport> {
  const started = performance.now()
  const { passed, wrong } = await unitTests(copy.folder, ['tests/edits/**'])
  const seconds = (performance.now() - started) / 1000
  return { edit: 'All of them, with every unit test', shownOn: [], wrong, testsPassed: passed, seconds }
}

function unitTests(folder: string, without: readonly string[]): Promise<{ wrong: string[]; passed: string }> {
  const excluded = without.flatMap(pattern => ['--exclude', pattern])
  const { SPECIFICATION: _, ...env } = process.env
  return new Promise(resolve => {
    const options = { cwd: folder, env: { ...env, NO_COLOR: '1' }, maxBuffer: 64 * 1024 * 1024 }
    execFile('npx', ['vitest', 'run', ...excluded], options, (error, stdout, stderr) => {
      const passed = stdout.match(/Tests +(.*)/)?.[1] ?? 'none'
      const failed = `${stdout}${stderr}`.match(/^ *(FAIL|Error:|AssertionError).*$/gm) ?? ['The tests did not run.']
      resolve({ passed, wrong: error === null ? [] : failed })
    })
  })
}
