import { defineConfig } from '@playwright/test'
import { type Engine, engines } from './tests/browsers/engines.ts'
import { journeyLaunchOptions } from './tests/support/chromium.ts'

export default defineConfig<object, { engine: Engine['name'] }>({
  globalSetup: './tests/support/build-sites.ts',
  fullyParallel: true,
  forbidOnly: true,
  // Much of a journey is waiting: one worker a core would leave a quarter of two cores idle.
  workers: 4,
  // A journey that passes only at the second try hides a fault of the page or of the journey.
  retries: 0,
  // Generous, for a busy machine: a journey takes a second or two, and these only say when to give one up.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['./tests/browsers/report-engines.ts']],
  projects: [
    // First, since one worker goes through each of them, slowly: the others go on with Chromium beside it.
    ...engines
      .filter(engine => engine.missing() === null)
      // One worker, and so one window of each: starting an engine takes longer than a journey.
      .map(({ name }) => ({
        name,
        testDir: 'tests/browsers',
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
