import { defineConfig } from 'vitest/config'
import { inlineScript } from './build/inline-script.ts'

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    include: ['{content,domain,site,server,build,cli,tests}/**/*.test.ts'],
    // As in playwright.config.ts: real processes and disks on a busy machine.
    retry: 1,
    globalSetup: ['tests/support/build-sites.ts', 'tests/support/provide-postgres.ts'],
  },
})
