/** After a test run, reports which browsers the visitor journeys ran in and which were missing. */
import type { Reporter, TestCase } from '@playwright/test/reporter'
import { engines } from './engines.ts'

// biome-ignore lint/style/noDefaultExport: required by Playwright
export default class ReportEngines implements Reporter {
  readonly #browsers = new Set<string>()

  onTestEnd({ annotations }: TestCase) {
    for (const { type, description } of annotations) if (type === 'browser') this.#browsers.add(description ?? '')
  }

  onEnd() {
    const lines = [`Visitor journeys ran in ${[...this.#browsers].join(', ') || 'no browser'}.`]
    for (const { name, missing } of engines) {
      const reason = missing()
      if (reason) lines.push(`NOT RUN in ${name}: ${reason}.`)
    }
    console.log(`\n${lines.join('\n')}`)
  }
}
