/** One settings file for every program, no matter where it's started. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { siteBuild } from '../build/site.ts'
import { readConfig } from '../server/settings/config.ts'
import { newFolder } from './support/after-test.ts'
import { onDemand } from './support/on-demand.ts'
import { PROGRAM_ENV, spawnServer } from './support/processes.ts'

await onDemand('site')

const root = join(import.meta.dirname, '..')

let folder: string
beforeEach(() => {
  folder = newFolder()
})

/** Runs a program from another folder, with only this environment. */
function run(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { NODE_COMPILE_CACHE } = PROGRAM_ENV
  return spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    cwd: '/',
    env: { NODE_COMPILE_CACHE, ...env },
  })
}

test('the server and CLI find the same store and webhook from any folder', async () => {
  const SETTINGS_FILE = join(folder, 'settings.env')
  const settings = `PORT=0\nDATA_DIR=${folder}/store\nLEAD_WEBHOOK_URL=http://127.0.0.1:9/hook\n`
  writeFileSync(SETTINGS_FILE, settings, { mode: 0o600 })
  const server = spawnServer({ SETTINGS_FILE })
  await server.url
  server.child.kill('SIGTERM')
  const { code, stdout: log } = await server.exit
  expect([code, log]).toEqual([0, expect.not.stringContaining('leads are stored but not delivered')])

  const { stdout } = run(join(root, 'cli/main.ts'), ['doctor'], { SETTINGS_FILE })
  expect(stdout).toContain(`Read from ${SETTINGS_FILE} and the environment.`)
  expect(stdout).toContain(`${folder}/store/leads.sqlite: version`)
  expect(stdout).toMatch(/Webhook +127\.0\.0\.1:9 can’t be reached/)
})

test('SETTINGS_FILE defaults to .env in the project folder', () => {
  for (const part of ['domain', 'server']) cpSync(join(root, part), join(folder, part), { recursive: true })
  writeFileSync(join(folder, '.env'), 'DATA_DIR=leads here\n')
  const config = pathToFileURL(join(folder, 'server/settings/config.ts'))
  const { stdout } = run('--eval', [`import('${config}').then(({ loadConfig }) => console.log(loadConfig().dataDir))`])
  expect(stdout).toBe(`${folder}/leads here\n`)
})

test('only settings that end up in the pages make a build stale', () => {
  const bakedIn = (env: Readonly<Record<string, string>>) => siteBuild(readConfig(env)).settings
  expect(bakedIn({ PORT: '4000', LEAD_WEBHOOK_SECRET: 'secret-of-24-characters!' })).toEqual(bakedIn({}))
  const url = 'https://one.example.org'
  for (const env of [{ SITE_URL: url }, { SITE_LEAD_ENDPOINT: `${url}/hook` }, { TRUSTEDFORM: 'sandbox' }])
    expect(bakedIn(env), JSON.stringify(env)).not.toEqual(bakedIn({}))
})

test('an error in the settings file stops the build without a stack trace', () => {
  const SETTINGS_FILE = join(folder, 'settings.env')
  writeFileSync(SETTINGS_FILE, 'PORT=x\n')
  const line = 'Invalid configuration:\n  - PORT is "x", but must be a number from 0 to 65535.\n'
  const { status, stderr } = run(join(root, 'build/main.ts'), ['site', '--if-stale'], { SETTINGS_FILE })
  expect([status, stderr]).toEqual([1, line])
})

test('the committed settings file is an example without values', () => {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  expect(git('check-ignore', '.env').stdout).toBe('.env\n')
  expect(git('check-ignore', '.env.example').stdout).toBe('')
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  expect(example.replace(/^#.*\n/gm, '').trim()).toBe('')
})
