import { defineConfig } from '@playwright/test'
import { launchOptions } from './tests/support/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/build-sites.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // Real browsers and servers on a busy machine: what is slow once is tried again and reported as flaky; a fault fails twice.
  retries: 1,
  timeout: 30_000,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: launchOptions(),
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
  },
})
