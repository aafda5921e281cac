import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { inlineScript } from './build/plugins.ts'
import './tests/support/temporary-folders.ts'

/** Tests that build, start, and kill programs run first, so no worker is left with a long one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isShort = ({ moduleId }: TestSpecification) => !/\/tests\/|\/main\.test\.ts$|postgres/.test(moduleId)
    return (await super.sort(files)).sort((one, other) => Number(isShort(one)) - Number(isShort(other)))
  }
}

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    include: ['{content,domain,site,server,build,cli,desk,launch,tests,tools}/**/*.test.ts'],
    // Real processes on unknown hardware: only a hang should time out.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests expect days in UTC; without TIME_ZONE, the machine's time zone would apply.
    env: { TZ: 'UTC' },
    expect: { poll: { timeout: 30_000 } },
    // Tests often wait for processes: with one worker per core, a third of two cores is idle.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      'tests/support/build-sites.ts',
      'tests/support/provide-postgres.ts',
      'tests/specification/delivered-content.ts',
    ],
  },
})
