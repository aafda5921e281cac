/** Performs the recipes of docs/content.md one after the other on a copy: the pages show each, the tests stay green after each. */
import { execFile, execFileSync } from 'node:child_process'
import { copyToEdit } from '../edits/edited-copy.ts'

export interface EditReport {
  readonly edit: string
  /** What the pages do not show of it, or what the tests say. */
  readonly wrong: readonly string[]
  readonly testsPassed: string
}

/** These see no word of content/: they are run once, at the end, with all edits made. */
const WITHOUT_WORDS = ['tests/faults/**', 'tests/deploy/**', 'tests/edits/**', 'server/store/**', 'server/delivery/**']

export async function editOneByOne(): Promise<readonly EditReport[]> {
  const copy = copyToEdit()
  const reports: EditReport[] = []
  // A test asks git what it would ignore.
  execFileSync('git', ['init', '--quiet', copy.folder])
  try {
    for (const recipe of copy.recipes) {
      await copy.perform(recipe)
      await copy.build()
      const tests = await unitTests(copy.folder, WITHOUT_WORDS)
      reports.push({ edit: recipe.title, wrong: [...copy.missing(recipe), ...tests.wrong], testsPassed: tests.passed })
    }
    const all = await unitTests(copy.folder, ['tests/edits/**'])
    reports.push({ edit: 'All of them, with every unit test', wrong: all.wrong, testsPassed: all.passed })
    return reports
  } finally {
    copy.remove()
  }
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
