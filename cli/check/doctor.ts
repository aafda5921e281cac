/** `doctor`: checks the whole installation, one line per finding. */
import { rmSync } from 'node:fs'
import { styleText } from 'node:util'
import { pluralize } from '../../domain/text/numbers.ts'
import { type Config, ConfigError } from '../../server/settings/config.ts'
import { inspectStore } from '../../server/store/open-store.ts'
import { isNewStore, oldStoresIn, storeFile } from '../../server/store/sqlite/files.ts'
import { type Command, CommandError, type Run } from '../command.ts'
import { confirm, yesOption } from '../terminal/ask.ts'
import * as checks from './checks.ts'
import { checkCertificates, checkServer, checkWebhook } from './connections.ts'

type Finding = checks.Finding

export const doctor: Command = {
  summary: 'Check settings, store, disk, backlog, backups, server, certificates, webhook, alerts, and mail.',
  about:
    'Doesn’t send leads or alerts. The only change it makes is a test write to the store.\n' +
    'Each line is ok, a warning, or an error. The exit code is 1 if there are errors, and 0 if there are only warnings.',
  options: {
    json: { about: 'Print JSON.' },
    'remove-old-stores': { about: 'Delete files left in DATA_DIR by a move or restore. Asks first.' },
    ...yesOption,
  },
  examples: ['', '--remove-old-stores'],
  async run(run) {
    if (run.args.isSet('remove-old-stores')) return removeOldStores(run)
    const isJson = run.args.isSet('json')
    const found: Finding[] = []
    for await (const finding of findings(run)) {
      found.push(finding)
      const { status, subject, message } = finding
      const shown = styleText(colors[status], status.padEnd(7), { stream: run.stdout })
      if (!isJson) await run.out.write(`${shown}  ${subject.padEnd(8)}  ${message}\n`)
    }
    if (isJson) await run.json(found)
    const errors = found.filter(({ status }) => status === 'error').length
    const warnings = found.filter(({ status }) => status === 'warning').length
    if (errors > 0) throw new CommandError(`Failed: ${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}.`)
    const passed = warnings > 0 ? `Passed with ${pluralize(warnings, 'warning')}, no errors.` : 'All checks passed.'
    if (!isJson) await run.out.write(`\n${passed}\n`)
  },
}

const colors = { ok: 'green', warning: 'yellow', error: 'red' } as const

async function* findings(run: Run): AsyncIterable<Finding> {
  let config: Config
  try {
    config = run.readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield* error.problems.map(problem => checks.error('Settings', problem))
    return
  }
  yield* checks.checkSettings(config)
  const health = await inspectStore(config, run.busyTimeoutMs)
  const found = [...checks.checkStore(health)]
  yield* found
  if (config.databaseUrl === null) yield* checks.checkFolder(config.dataDir)
  yield* checks.checkOldStores(config.dataDir)
  if (health.kind === 'usable' && found.every(({ status }) => status !== 'error')) {
    const store = await run.openStore('read')
    yield await checks.checkKey(store, config)
    yield* checks.checkBacklog(store, config)
    yield await checks.checkCallList(store, config)
    yield await checks.checkEvidence(store)
    yield* await checks.checkAlerts(store, run.now())
  }
  yield* checks.checkUnits()
  yield* checks.checkClock()
  yield* await checkServer(config)
  yield* await checkCertificates(config, run.now())
  yield* checkWebhook(config)
  yield checks.checkAlertChannels(config)
  yield* checks.checkMail(config)
}

async function removeOldStores(run: Run): Promise<void> {
  const { dataDir, databaseUrl } = run.readConfig()
  const files = oldStoresIn(dataDir)
  if (files.length === 0) return run.notes.write('No old stores found.\n')
  await run.notes.write(files.map(file => `  ${file}\n`).join(''))
  // A move or a restore was interrupted, or DATABASE_URL is missing. Without these files, the server would start with an empty store.
  const store = storeFile(dataDir)
  if (databaseUrl === null && isNewStore(store)) {
    throw new CommandError(`Nothing was deleted: there is no store at ${store}, so these may be your only leads.`)
  }
  await confirm(run, `Permanently delete ${pluralize(files.length, 'file')}?`)
  for (const file of files) rmSync(file)
  await run.notes.write(`${pluralize(files.length, 'file')} deleted.\n`)
}
