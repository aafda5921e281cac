/** The last lines of a test run: the browsers in which the visitor's journeys ran, and those in which they did not. */
import type { Reporter, TestCase } from '@playwright/test/reporter'
import { engines } from './engines.ts'

// biome-ignore lint/style/noDefaultExport: Playwright loads reporters by it
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
