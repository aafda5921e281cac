import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { inlineScript } from './build/plugins.ts'

/** What builds, starts and kills programs comes first: nothing long is left for one worker at the end. */
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
    // Real processes and disks, on whatever machine: what takes long has not failed yet; what hangs has.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests name their days in UTC; without TIME_ZONE, the machine's zone would count.
    env: { TZ: 'UTC' },
    expect: { poll: { timeout: 30_000 } },
    // Much of it waits for disks and processes: with one worker a core, a third of two cores is idle.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      'tests/support/build-sites.ts',
      'tests/support/provide-postgres.ts',
      'tests/specification/delivered-content.ts',
    ],
  },
})
