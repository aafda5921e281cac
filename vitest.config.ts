import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { inlineScript } from './build/plugins.ts'
import { PROGRAM_ENV } from './tests/support/processes.ts'
import { ReportUnitTests } from './tests/support/report-tests.ts'
import './tests/support/temporary-folders.ts'

/** Tests that build, start, and kill programs run first, so no worker is left with a long one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isShort = ({ moduleId }: TestSpecification) => !/\/tests\/|\/main\.test\.ts$|postgres/.test(moduleId)
    return (await super.sort(files)).sort((one, other) => Number(isShort(one)) - Number(isShort(other)))
  }
}

const include = ['{domain,site,site-folder,publish,server,build,cli,desk,launch,tests,tools}/**/*.test.ts']
/** A mocked module would stay mocked in the files that follow. */
const mocking = globSync(include).filter(file => readFileSync(file, 'utf8').includes('vi.mock('))

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    // Real processes on unknown hardware: only a hang should time out.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Tests expect days in UTC; without TIME_ZONE, the machine's time zone would apply. The cache halves the time that programs take to start.
    env: { TZ: 'UTC', NODE_COMPILE_CACHE: PROGRAM_ENV.NODE_COMPILE_CACHE },
    expect: { poll: { timeout: 60_000 } },
    // Tests often wait for processes: with one worker per core, a third of two cores is idle.
    maxWorkers: 4,
    reporters: ['default', new ReportUnitTests()],
    sequence: { sequencer: LongestFirst },
    // Starting a worker and loading its modules for each file would take a third of the time.
    projects: [
      { extends: true, test: { name: 'shared', include, exclude: mocking, isolate: false } },
      { extends: true, test: { name: 'isolated', include: mocking } },
    ],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    globalSetup: ['tests/support/make-on-demand.ts'],
    setupFiles: ['tests/support/same-cases.ts'],
  },
})
