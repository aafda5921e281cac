import { defineConfig } from '@playwright/test'
import { journeyLaunchOptions } from './tests/support/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/build-sites.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // A journey that passes only at the second try hides a fault of the page or of the journey.
  retries: 0,
  // Generous, for a busy machine: a journey takes a second or two, and these only say when to give one up.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: journeyLaunchOptions(),
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
  },
})
