import { defineConfig } from 'vitest/config'
import { inlineScript } from './build/plugins/inline-script.ts'

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    include: ['{content,domain,site,server,build,cli,desk,launch,tests}/**/*.test.ts'],
    // Real processes and disks, on whatever machine: what takes long has not failed yet; what hangs has.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Much of it waits for disks and processes: one worker for each of two cores, whatever Vitest would leave free.
    maxWorkers: 2,
    globalSetup: [
      'tests/support/build-sites.ts',
      'tests/support/provide-postgres.ts',
      'tests/specification/tell-edits.ts',
    ],
  },
})
