/** `pause` and `resume`: holds back deliveries of all servers of a store. */
import { type Command, UsageError } from './command.ts'
import { counted } from './terminal/words.ts'
import { byOption, calendarOf, pauseInWords, waitingNote, whoRuns, withStore } from './with-store.ts'

const MAX_REASON = 200

export const pause: Command = {
  summary: 'Pause deliveries. New leads are accepted and queued.',
  usage: ['[--reason TEXT]'],
  about:
    'Use it while your CRM is down, for example. Every server that uses this store stops delivering within five seconds and stays paused after a restart, until you run `resume`. Deliveries already in progress finish. `list --summary`, `doctor`, and alerts show that deliveries are paused. Run it again to change the reason.',
  options: {
    reason: { value: 'TEXT', about: 'Why, for your colleagues to see. Leave out visitors’ names.' },
    ...byOption,
  },
  examples: ['', '--reason "the CRM is being moved"'],
  async run(run) {
    const reason = run.args.text('reason')?.trim() ?? ''
    if (reason.length > MAX_REASON) throw new UsageError(`--reason can have at most ${MAX_REASON} characters.`)
    const by = whoRuns(run.args)
    await withStore(run, 'write', async store => {
      const isNew = await store.pauseDeliveries({ reason, by })
      const current = await store.deliveryPause()
      const words = current && !isNew ? pauseInWords(current, calendarOf(run)) : 'Deliveries are paused.'
      await run.notes.write(`${words} To resume: npm run leads -- resume\n`)
    })
  },
}

export const resume: Command = {
  summary: 'Resume deliveries after a pause.',
  about: 'Queued leads start going out within five seconds, oldest first, a few at a time.',
  options: byOption,
  async run(run) {
    const by = whoRuns(run.args)
    await withStore(run, 'write', async store => {
      if (!(await store.resumeDeliveries({ by }))) return run.notes.write('Deliveries were not paused.\n')
      const { pending } = await store.backlog()
      const waiting = `Deliveries resumed; ${counted(pending, 'lead is', 'leads are')} queued.`
      return run.notes.write(`${waiting}${await waitingNote(run, store)}\n`)
    })
  },
}
