import { defineConfig } from '@playwright/test'
import { type Engine, engines } from './tests/browsers/engines.ts'
import { journeyLaunchOptions } from './tests/support/chromium.ts'
import './tests/support/temporary-folders.ts'

const runsOldest = engines.some(engine => engine.name === 'chromium-111' && engine.missing() === null)

export default defineConfig<object, { engine: Engine['name'] }>({
  globalSetup: './tests/support/build-sites.ts',
  fullyParallel: true,
  forbidOnly: true,
  // Journeys often wait: with one worker per core, a quarter of two cores is idle.
  workers: 4,
  // A test that passes only on the second try hides a bug in the page or in the test.
  retries: 0,
  // As for unit tests: on a slow machine, only a hang should time out.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./tests/support/report-tests.ts'], ['./tests/browsers/report-engines.ts']],
  projects: [
    // Other engines run first, with one worker each: starting one of these browsers takes longer than a journey.
    ...engines
      .filter(engine => engine.missing() === null)
      .map(({ name }) => ({
        name,
        testDir: 'tests/browsers',
        // The rest is the same in every engine, such as the other languages.
        grepInvert: name === 'system-chromium' ? [] : /@once/,
        // tests/e2e runs in the same Chromium, and the oldest one runs the rest.
        grep: name === 'system-chromium' && runsOldest ? /@once|@each-version/ : /./,
        // The desk needs Chrome 129.
        testIgnore: name === 'chromium-111' ? '**/desk.spec.ts' : [],
        fullyParallel: false,
        workers: 1,
        use: { engine: name },
      })),
    {
      name: 'chromium',
      testDir: 'tests/e2e',
      use: {
        browserName: 'chromium',
        launchOptions: journeyLaunchOptions(),
        viewport: { width: 390, height: 844 },
        locale: 'en-US',
        timezoneId: 'America/Chicago',
      },
    },
  ],
})
