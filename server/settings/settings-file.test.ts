import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import { readSettingsFile } from './settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
const path = join(folder, 'settings.env')

beforeEach(() => rmSync(path, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

/** Loads the settings as a program would with this file and these variables. */
function load(text: string, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(path, text)
  return loadConfig({ SETTINGS_FILE: path, ...env })
}

function problemsOf(text: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  try {
    load(text, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('settings from the file', () => {
  test('are overridden by the environment, where a blank variable turns a setting off', () => {
    const text = 'PORT=8080\nHOST=::1\nLEAD_WEBHOOK_SECRET=secret-of-24-characters!\n'
    expect(load(text, { PORT: '9090', LEAD_WEBHOOK_SECRET: '' })).toMatchObject({
      port: 9090,
      host: '::1',
      webhookSecrets: [],
    })
  })

  test.each([
    ['plain', 'plain'],
    ['  spaces around  ', 'spaces around'],
    ['"in quotes # and all "', 'in quotes # and all'],
    ['\'single "ones"\' # a comment', 'single "ones"'],
    ['ab#cd', 'ab#cd'],
    ['#ab', '#ab'],
    ['ab # a comment', 'ab'],
    ["it's", "it's"],
    ['whsec_a+b/c=', 'whsec_a+b/c='],
    ['a\\nb$HOME', 'a\\nb$HOME'],
  ])('the value %s is read as %s', (written, read) => {
    expect(load(`HOST=${written}`).host).toBe(read)
  })

  test('can have Windows line endings, blank lines, comments, blank values, and `export`', () => {
    const text = '\ufeff# settings\r\n\r\n  # more\r\nexport PORT = 8080\r\nHOST=\r\nSITE_URL= # none\r\n'
    expect(load(text)).toMatchObject({ port: 8080, host: '127.0.0.1', siteUrl: 'http://127.0.0.1:8080' })
  })

  test('are listed by name if they’re secret', () => {
    const text =
      'LEAD_WEBHOOK_SECRET=secret-of-24-characters!\nLEAD_WEBHOOK_URL=https://hooks.example.org/\nPORT=1\nDATABASE_URL=\n'
    expect(load(text).settingsFile).toEqual({ path, secrets: ['LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET'] })
  })
})

describe('one clear line for', () => {
  test('a SETTINGS_FILE that doesn’t exist or can’t be read', () => {
    expect(() => loadConfig({ SETTINGS_FILE: path })).toThrow(
      `Invalid configuration:\n  - The settings file ${path} doesn’t exist. Check SETTINGS_FILE.`,
    )
    mkdirSync(path)
    expect(() => loadConfig({ SETTINGS_FILE: path })).toThrow(`The settings file ${path} can’t be read (EISDIR).`)
  })

  const typos = {
    LEAD_WEBHOKO_URL: 'LEAD_WEBHOOK_URL',
    lead_webhook_url: 'LEAD_WEBHOOK_URL',
    POTR: 'PORT',
  }
  const badLines = ['LEAD_WEBHOOK_SECRET abc', 'LEAD WEBHOOK=abc', '=abc', 'PORT: 3000', 'PORT="abc', "PORT='abc' abc"]
  test.each<[string, string]>([
    ...badLines.map((line): [string, string] => [
      `HOST=::1\n\n${line}`,
      `Line 3 of ${path} doesn’t look like NAME=value.`,
    ]),
    ['PORT=1\nHOST=::1\nPORT=2', `Line 3 of ${path} sets PORT again, after line 1. Keep one of them.`],
    ...['NODE_EXTRA_CA_CERTS', 'SETTINGS_FILE'].map((name): [string, string] => [
      `${name}=/etc/x`,
      `Line 1 of ${path} sets ${name}, which is read before this file. Set it in the environment instead.`,
    ]),
    ...Object.entries(typos).map(([typo, meant]): [string, string] => [
      `${typo}=abc`,
      `${typo} in ${path} is not a setting. Did you mean ${meant}?`,
    ]),
  ])('%j', (text, problem) => expect(problemsOf(text)).toEqual([problem]))

  test('a typo in the environment', () => {
    expect(problemsOf('', { LEAD_WEBHOKO_URL: 'https://hooks.example.org/' })).toEqual([
      'LEAD_WEBHOKO_URL in the environment is not a setting. Did you mean LEAD_WEBHOOK_URL?',
    ])
  })
})

test('other programs’ variables cause no false alarms', () => {
  const others = ['HOME', 'HOSTNAME', 'POST', 'BASE_URL', 'DATABASE_URI', 'DATADIR', 'SITE', 'T', '_', 'TRUST']
  const text = 'POSTGRES_PASSWORD=abc\nCOMPOSE_PROJECT_NAME=leads\n'
  expect(problemsOf(text, Object.fromEntries(others.map(name => [name, 'x'])))).toEqual([])
})

/** What deploy/ sets and reads. */
test('scripts read settings as programs do, and change nothing else; publishing gets no secret', () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../cli/settings.ts'), path, ...args], {
      encoding: 'utf8',
    })
  writeFileSync(
    path,
    '# ours\n export SITE_URL = "https://www.acme.test" # since May\nLEAD_WEBHOOK_SECRET=a#b\nPORT=3000',
    {
      mode: 0o640,
    },
  )
  expect(run('get', 'SITE_URL').stdout).toBe('https://www.acme.test\n')
  expect(run('get', 'DATA_DIR').stdout).toBe('\n')
  expect(run('default', 'SITE_URL', 'https://x.test', 'DATA_DIR', '/var/lib/our leads').status).toBe(0)
  expect(run('set', 'PORT', '3001', 'LEAD_WEBHOOK_SECRET', 'a#b').status).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe(
    '# ours\n export SITE_URL = "https://www.acme.test" # since May\nLEAD_WEBHOOK_SECRET=a#b\nPORT=3001\nDATA_DIR="/var/lib/our leads"\n',
  )
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(run('for-pages').stdout).toBe('SITE_URL=https://www.acme.test\n')
  // A setting that's there twice keeps everything from starting.
  writeFileSync(path, 'PORT=1\nPORT=2\n')
  expect(run('set', 'PORT', '3001')).toMatchObject({ status: 1, stderr: expect.stringContaining('sets PORT again') })
})

test('a missing .env is fine', () => {
  expect(readSettingsFile(path, false)).toBeNull()
})
