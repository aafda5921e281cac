/** Entry point for `npm run leads -- …`. The only file here with side effects on import. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Makes every run after the first twice as fast. The cache is in our own folder, because a shared one could be tampered with.
// `npm run leads` sets NODE_COMPILE_CACHE, so this file is cached too and later runs don't load Node's TypeScript support.
enableCompileCache(join(import.meta.dirname, '../.cache/leads'))

const { loadConfig } = await import('../server/settings/config.ts')
const { runCli } = await import('./run.ts')

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  readConfig: loadConfig,
  now: Date.now,
})
// A prompt may have left stdin open, which would keep the process running.
process.stdin.pause()
