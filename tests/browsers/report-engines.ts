/** Ends a test run by saying in which browsers the visitor's journeys ran, and in which they didn't. */
import type { Reporter, TestCase } from '@playwright/test/reporter'
import { engines } from './engines.ts'

// biome-ignore lint/style/noDefaultExport: required by Playwright
export default class ReportEngines implements Reporter {
  readonly #browsers = new Set<string>()

  onTestEnd({ annotations }: TestCase) {
    for (const { type, description } of annotations) if (type === 'browser') this.#browsers.add(description ?? '')
  }

  onEnd() {
    const lines = [`Visitor's journeys ran in ${[...this.#browsers].join(', ') || 'no browser'}.`]
    for (const { name, missing } of engines) {
      const reason = missing()
      if (reason) lines.push(`NOT RUN in ${name}: ${reason}.`)
    }
    console.log(`\n${lines.join('\n')}`)
  }
}
