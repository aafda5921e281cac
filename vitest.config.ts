import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{content,domain,site,server,build,cli,tests}/**/*.test.ts'],
    // As in playwright.config.ts: real processes and disks on a busy machine.
    retry: 1,
    globalSetup: ['tests/support/build-sites.ts'],
  },
})
