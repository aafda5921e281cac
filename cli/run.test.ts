import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { insertLeads } from '../tests/support/lead-fixtures.ts'
import { leads } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'
import { groups } from './commands.ts'

const commands = Object.values(groups).flatMap(({ commands }) => Object.entries(commands))

const invalid = { env: { PORT: 'wrong' } }

test.each(['help', '--help', '-h'])('%s lists every command without settings or a store', async word => {
  const { code, out, err } = await leads([word], invalid)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const [name] of commands) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  // Without a command, it's a usage error.
  expect(await leads([])).toEqual({ code: 2, out: '', err: out })
})

test.each(commands)('%s --help shows its usage, every option, and examples', async (name, { options = {} }) => {
  const { code, out, err } = await leads([name, '--help'], invalid)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const option of Object.keys(options)) expect(out).toContain(`--${option}`)
  expect(out).toMatch(new RegExp(`^Usage: npm run leads -- \\w+ ${name}.*\\[OPTIONS\\]\n`))
  expect(out).toContain('Examples:')
  expect(out.split('\n').filter(line => line.length > 120)).toEqual([])
  expect((await leads(['help', name])).out).toBe(out)
  expect((await leads([name, '-h'])).out).toBe(out)
})

describe('a usage error prints one line and exits with 2', () => {
  test.each<readonly [argv: readonly string[], explanation: string]>([
    [['exprt'], 'Unknown command. Did you mean export?'],
    [['constructor'], 'Unknown command.'],
    [['help', 'vrify'], 'Did you mean verify?'],
    [['store', 'export'], 'Unknown command in store.'],
    [['--json', 'people'], 'Put the command first'],
    [['export', '--sate', 'held'], 'Unknown option --sate. Did you mean --state?'],
    [['export', '--page', '--format'], '--page needs a value: --page PATH.'],
    [['export', '--page'], 'needs a value'],
    [['export', '--page', '/', '--page', '/advertorial'], '--page can be used only once.'],
    [['people', '--json=yes'], '--json takes no value.'],
    [['export', '--state', 'hold'], 'one of accepted, held, rejected, repeat, erased, not "hold". Did you mean held?'],
    [['export', '--campaign', 'news'], 'must be NAME=VALUE'],
    [['export', '--since', '2030-13-01'], '--since must be today, yesterday, 2030-01-31'],
    [['export', '--since', '1d', '--until', '2d'], '--since must be earlier than --until.'],
    [['export', 'more'], 'Too many arguments.'],
    [['export', '--id', '0195f2d1', '--since', '1d'], 'Use --id without --since.'],
    [['export', '--id', 'ada@example.org'], 'Not a lead ID.'],
    [['export', '--id', '0195f2d'], 'Use at least 8 characters'],
    [['invite', 'Maria', 'Lopez'], 'Put quotes around names that contain spaces.'],
    [['invite', 'Maria', '--role', 'boss'], '--role must be one of viewer, agent, editor, not "boss".'],
    [['invite', 'x'.repeat(81)], 'A name must have 1 to 80 characters, on one line.'],
    [['invite', 'Maria\u001b'], 'A name must have 1 to 80 characters, on one line.'],
    [['pause', '--reason', 'x'.repeat(201)], '--reason can be up to 200 characters long.'],
    [['verify'], 'Specify FILE: npm run leads -- leads verify FILE'],
    [['erase'], 'Specify a person'],
    [['erase', '--email', 'a@example.org', '--phone', '5550102030'], 'Use only one of'],
    [['erase', '--phone', '12345'], 'A phone number must be a US number with 10 digits.'],
  ])('%j', async (argv, explanation) => {
    const { code, out, err } = await leads(argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(explanation)
    expect(err.trimEnd()).not.toContain('\n')
  })

  test('arguments may contain personal data, so they aren’t echoed', async () => {
    for (const argv of [['ada@example.org'], ['export', 'Ada'], ['export', '--id', 'Ada'], ['verify', 'a', 'Ada']])
      expect((await leads(argv)).err).not.toMatch(/ada/i)
  })
})

describe('a failure prints one line and exits with 1', () => {
  const store = storePerTest()
  const runSql = (sql: string) => {
    const database = new DatabaseSync(store.file)
    database.exec(sql)
    return database
  }

  test('a missing store is not created', async () => {
    const dataDir = `${store.dataDir}/none`
    const missing = { code: 1, out: '', err: `There is no store at ${dataDir}/leads.sqlite yet.\n` }
    for (const argv of [['people'], ['export'], ['people']]) expect(await leads(argv, { dataDir })).toEqual(missing)
  })

  test('invalid settings, or a store written by a newer version', async () => {
    const wrong = expect.stringMatching(/^Invalid configuration:\n {2}- PORT is "wrong".*\n$/)
    expect(await leads(['people'], invalid)).toEqual({ code: 1, out: '', err: wrong })
    runSql('PRAGMA user_version = 999').close()
    const err = expect.stringMatching(/^The store at .* was upgraded by a newer version .*\n$/)
    expect(await leads(['people'], store)).toEqual({ code: 1, out: '', err })
  })

  test('a locked store can be read; writes fail because it is unavailable', async () => {
    insertLeads(store.file, [{}])
    const other = runSql('BEGIN IMMEDIATE')
    expect((await leads(['people'], store)).code).toBe(0)
    const unavailable = { code: 1, out: '', err: expect.stringContaining('The store is unavailable: ') }
    expect(await leads(['export'], store)).toEqual(unavailable)
    other.close()
    expect((await leads(['export'], store)).code).toBe(0)
  })

  test.each(['export', 'erase'])('%s: a lead that does not exist', async command => {
    const id = '0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d'
    const err = `No lead found with ID ${id}.\n`
    expect(await leads([command, '--id', id], store)).toEqual({ code: 1, out: '', err })
  })

  test('an unexpected error shows its type and location, never its message', async () => {
    const [id = ''] = insertLeads(store.file, [{}])
    runSql(`UPDATE leads SET campaign = 'Ada is not JSON'`).close()
    const err = expect.stringMatching(/^Unexpected error: SyntaxError at \S+\.ts:\d+\. Please report this\.\n$/)
    expect(await leads(['export', '--id', id], store)).toEqual({ code: 1, out: '', err })
  })
})
