/** After a run: the slowest tests, and for each failed test, the command that runs it again. */
import { relative } from 'node:path'
import type { TestCase as Journey, Reporter as JourneyReporter } from '@playwright/test/reporter'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

interface Result {
  readonly name: string
  readonly ms: number
  /** The arguments of the test runner that run only this test. */
  readonly selection: readonly string[]
  readonly failed: boolean
}

const quoted = (word: string) => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

export function summaryOf(results: readonly Result[], runner: string): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(8)
  const slowest = results.toSorted((one, other) => other.ms - one.ms).slice(0, SHOWN)
  const failed = results.filter(result => result.failed)
  const commands = new Set(failed.map(({ selection }) => `  npx ${[runner, ...selection].map(quoted).join(' ')}`))
  return [
    ...(results.length > SHOWN ? ['', 'Slowest:', ...slowest.map(({ ms, name }) => `${seconds(ms)}  ${name}`)] : []),
    ...(failed.length > 0 ? ['', 'To run what failed again:', ...commands] : []),
  ].join('\n')
}

const pathOf = (file: string) => relative(process.cwd(), file)

export class ReportUnitTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const results = modules.flatMap(module => {
      const file = pathOf(module.moduleId)
      const tests = [...module.children.allTests()].map(test => ({
        name: `${file}: ${test.name}`,
        ms: test.diagnostic()?.duration ?? 0,
        // The runner takes the name as a pattern.
        selection: ['run', file, '-t', test.fullName.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')],
        failed: test.result().state === 'failed',
      }))
      const failed = module.state() === 'failed' && !tests.some(test => test.failed)
      return failed ? [...tests, { name: file, ms: 0, selection: ['run', file], failed }] : tests
    })
    console.log(summaryOf(results, 'vitest'))
  }
}

// biome-ignore lint/style/noDefaultExport: required by Playwright
export default class ReportJourneys implements JourneyReporter {
  readonly #results = new Map<string, Result>()

  onTestEnd(test: Journey, { duration: ms }: { readonly duration: number }) {
    const place = `${pathOf(test.location.file)}:${test.location.line}`
    const project = test.parent.project()?.name ?? ''
    const name = `${project}, ${place}: ${test.title}`
    this.#results.set(test.id, {
      name,
      ms,
      selection: ['test', place, '--project', project],
      failed: test.outcome() === 'unexpected',
    })
  }

  onEnd() {
    console.log(summaryOf([...this.#results.values()], 'playwright'))
  }
}
