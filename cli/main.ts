/** Runs what the operator typed: `npm run leads -- …`. The only file here with side effects on import. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Makes every run but the first twice as quick. In a folder of our own: one that all users share could be tampered with.
// `npm run leads` turns it on before this file is read, which spares Node its reader of TypeScript, a third of the time.
enableCompileCache(join(import.meta.dirname, '../.cache/leads'))

const { loadConfig } = await import('../server/config.ts')
const { runCli } = await import('./run.ts')

// npm writes two lines of its own above the output of a script, to the same place, unless it is told to be silent. Nothing
// takes them back from a file or a pipe.
// biome-ignore lint/style/noProcessEnv: what npm says about itself is no setting of ours
const { npm_lifecycle_event: script, npm_config_loglevel: loudness } = process.env
if (!process.stdout.isTTY && script === 'leads' && loudness !== 'silent') {
  process.stderr.write('The first lines of this output are npm’s own. Without them: npm run -s leads -- …\n')
}

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  readConfig: loadConfig,
  now: Date.now,
})
