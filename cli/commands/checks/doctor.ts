/** `doctor`: whether all is well, one line for each thing it looks at. */
import { type Config, ConfigError } from '../../../server/config.ts'
import { inspectStore } from '../../../server/store/open-store.ts'
import type { Command, Run } from '../../command.ts'
import { checkAlertAddress, checkAlerts } from '../../doctor/check-alerts.ts'
import { checkBacklog } from '../../doctor/check-backlog.ts'
import { checkKey } from '../../doctor/check-key.ts'
import { checkOldStores, removeOldStores } from '../../doctor/check-old-stores.ts'
import { checkPrivacy } from '../../doctor/check-privacy.ts'
import { checkServer } from '../../doctor/check-server.ts'
import { checkSettings } from '../../doctor/check-settings.ts'
import { checkDisk, checkStore } from '../../doctor/check-store.ts'
import { checkWebhook } from '../../doctor/check-webhook.ts'
import { type Finding, findingsAbout } from '../../doctor/finding.ts'
import { exitCodes } from '../../failure.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { yesOption } from '../../terminal/ask.ts'
import { type Style, styled } from '../../terminal/surroundings.ts'
import { counted } from '../../terminal/words.ts'

export const doctor: Command = {
  summary: 'Whether all is well: settings, store, disk, backlog, server, webhook, alerts.',
  usage: ['', '--remove-old-stores [--yes]'],
  about:
    'Looks at the settings, the store, its disk, what waits for delivery or for you, whether the server runs, whether the\n' +
    'webhook can be reached, which alerts stand, and where they go. It sends no lead and no alert, and changes nothing but\n' +
    'the time of its own trial write to the store.\n' +
    'Each line is ok, a warning or a fault; with a fault the exit code is 1.',
  options: {
    'remove-old-stores': { about: 'Delete files that a move or restore left in DATA_DIR, after asking.' },
    ...yesOption,
  },
  examples: [''],
  mostWords: 0,
  async run(run) {
    if (run.typed.isSet('remove-old-stores')) return removeOldStores(run)
    const grades = { ok: 0, warning: 0, fault: 0 }
    for await (const finding of findings(run)) {
      grades[finding.grade] += 1
      await run.out.write(line(finding, run))
    }
    const { fault, warning } = grades
    const summary = fault + warning === 0 ? 'All is well' : `${counted(fault, 'fault')}, ${counted(warning, 'warning')}`
    await run.out.write(`\n${summary}.\n`)
    return fault > 0 ? exitCodes.failed : exitCodes.done
  },
}

async function* findings(run: Run): AsyncIterable<Finding> {
  const { fault } = findingsAbout('Settings')
  let config: Config
  try {
    config = run.readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield* error.faults.map(fault)
    return
  }
  yield* checkSettings(config)
  const { standing, disk } = await inspectStore(config, run)
  const store = checkStore(standing)
  yield* store
  if (disk) yield* checkPrivacy(disk)
  if (disk) yield checkDisk(disk)
  yield* checkOldStores(config.dataDir)
  if (standing.kind === 'usable' && store.every(({ grade }) => grade !== 'fault')) {
    yield await withStore(run, 'read', opened => checkKey(opened, config))
    yield* await withStore(run, 'read', opened => checkBacklog(opened, calendarOf(run)))
    yield* await withStore(run, 'read', opened => checkAlerts(opened, run.now()))
  }
  yield* await checkServer(config)
  yield* await checkWebhook(config)
  yield checkAlertAddress(config)
}

const styles: Readonly<Record<Finding['grade'], Style>> = { ok: 'green', warning: 'yellow', fault: 'red' }

function line({ grade, about, words }: Finding, { stdout }: Run): string {
  return `${styled(stdout, styles[grade], grade.padEnd(7))}  ${about.padEnd(8)}  ${words}\n`
}
