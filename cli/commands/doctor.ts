/** `doctor`: whether all is well, a line each. */

import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '../../server/config.ts'
import { storeFile } from '../../server/leads/store-file.ts'
import { type Style, styled } from '../colour.ts'
import type { Command, Run } from '../command.ts'
import { checkBacklog } from '../doctor/check-backlog.ts'
import { checkPrivacy } from '../doctor/check-privacy.ts'
import { checkServer } from '../doctor/check-server.ts'
import { checkSettings } from '../doctor/check-settings.ts'
import { checkDisk, checkStore } from '../doctor/check-store.ts'
import { checkWebhook } from '../doctor/check-webhook.ts'
import { type Finding, findingsAbout } from '../doctor/finding.ts'
import { exitCodes } from '../failure.ts'
import { withStore } from '../store.ts'
import { counted } from '../words.ts'

const BUSY_TIMEOUT_MS = 5000

export const doctor: Command = {
  summary: 'Whether all is well: settings, store, disk, backlog, server, webhook.',
  usage: [''],
  about:
    'Looks at the settings, the store, its disk, what waits for delivery or for you, whether the server runs, and whether\n' +
    'the webhook can be reached. It sends no lead, and changes nothing but the time of its own trial write to the store.\n' +
    'Each line is ok, a warning or a fault; with a fault the exit code is 1.',
  options: {},
  examples: [''],
  mostWords: 0,
  async run(run) {
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
  const store = checkStore(config.dataDir, run.busyTimeoutMs ?? BUSY_TIMEOUT_MS)
  yield* store
  yield* checkPrivacy(config.dataDir)
  yield checkDisk(config.dataDir)
  if (existsSync(storeFile(config.dataDir)) && store.every(({ grade }) => grade !== 'fault')) {
    yield* await withStore(run, 'read', database => checkBacklog(database, run.now()))
  }
  yield* await checkServer(config)
  yield* await checkWebhook(config)
}

const styles: Readonly<Record<Finding['grade'], Style>> = { ok: 'green', warning: 'yellow', fault: 'red' }

function line({ grade, about, words }: Finding, { stdout }: Run): string {
  return `${styled(stdout, styles[grade], grade.padEnd(7))}  ${about.padEnd(8)}  ${words}\n`
}
