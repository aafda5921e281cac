/** The last line of a test run: in which engines the journeys ran, and in which they did not, and why. */
import type { FullResult, Reporter, Suite } from '@playwright/test/reporter'
import { engines } from './engines.ts'

// biome-ignore lint/style/noDefaultExport: Playwright loads reporters by it
export default class ReportEngines implements Reporter {
  #suite: Suite | undefined

  onBegin(_config: unknown, suite: Suite) {
    this.#suite = suite
  }

  onEnd(_result: FullResult) {
    const ran = this.#suite?.suites.map(project => `${project.project()?.name} (${project.allTests().length})`) ?? []
    const lines = [`Journeys in ${ran.join(', ')}`]
    for (const engine of engines) {
      const missing = engine.missing()
      if (missing) lines.push(`NOT RUN in ${engine.name}: ${missing}. Debian has it: ${engine.packages.join(' ')}`)
    }
    console.log(`\n${lines.join('\n')}`)
  }
}
