/** `pause` and `resume`: stop and restart deliveries on every server that uses the store. */

import { pluralize } from '../domain/text/numbers.ts'
import { plain } from '../server/export/plain-text.ts'
import type { Calendar } from '../server/settings/calendar.ts'
import { LEADS } from '../server/settings/leads-command.ts'
import type { DeliveryPause } from '../server/store/tables/delivery-pause.ts'
import type { Command } from './command.ts'
import { byOption, readReason } from './options.ts'

export const pause: Command = {
  summary: 'Pause deliveries. New leads are accepted and queued.',
  about:
    'Use this while your CRM is down, for example. Every server that uses this store stops delivering within five seconds and stays paused after a restart, until you run `resume`. Deliveries already in progress finish. `doctor` and alerts show that deliveries are paused. Run `pause` again to change the reason.',
  options: {
    reason: { value: 'TEXT', about: 'Why you’re pausing. Colleagues will see this. Leave out visitors’ names.' },
    ...byOption,
  },
  examples: ['', '--reason "moving the CRM"'],
  async run(run) {
    const reason = readReason(run.args)
    const store = await run.openStore('write')
    const isNew = await store.pauseDeliveries({ reason, by: run.by() })
    const current = await store.deliveryPause()
    const message = current && !isNew ? describePause(current, run.calendar()) : 'Deliveries are paused.'
    await run.notes.write(`${message} To resume: ${LEADS} resume\n`)
  },
}

export const resume: Command = {
  summary: 'Resume deliveries after a pause.',
  about: 'Queued leads start going out within five seconds, oldest first, a few at a time.',
  options: byOption,
  async run(run) {
    const store = await run.openStore('write')
    if (!(await store.resumeDeliveries({ by: run.by() }))) return run.notes.write('Deliveries were not paused.\n')
    const { pending } = await store.backlog()
    const waiting = `Deliveries resumed; ${pluralize(pending, 'lead is', 'leads are')} queued.`
    const note = run.readConfig().webhookUrl === null ? ' They stay queued until you set LEAD_WEBHOOK_URL.' : ''
    await run.notes.write(`${waiting}${note}\n`)
  },
}

export function describePause({ since, by, reason }: DeliveryPause, calendar: Calendar): string {
  const why = reason === '' ? '' : ` (${plain(reason)})`
  return `${plain(by)} paused deliveries at ${calendar.format(since)}${why}.`
}
