import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{content,domain,site,server,build,cli,tests}/**/*.test.ts'],
    globalSetup: ['tests/support/build-sites.ts'],
  },
})
