/** Runs what the operator typed: `npm run leads -- …`. The only file here with side effects on import. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Makes every run but the first twice as quick. In a folder of our own: one that all users share could be tampered with.
enableCompileCache(join(import.meta.dirname, '../.cache/leads'))

const { readConfig } = await import('../server/config.ts')
const { runCli } = await import('./run.ts')

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  readConfig,
  now: Date.now,
})
