/** `resume`: what has waited since `pause` is delivered. */
import type { Command } from '../../command.ts'
import { exitCodes } from '../../failure.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { outboxNote, withStore } from '../../leads/with-store.ts'
import { counted } from '../../terminal/words.ts'

export const resume: Command = {
  summary: 'Deliveries go on after a pause.',
  usage: [''],
  about:
    'Ends a pause. What has waited is delivered at once, the longest due first, a few at a time. Servers on this machine or\n' +
    'on another begin within five seconds.',
  options: byOption,
  examples: [''],
  mostWords: 0,
  async run(run) {
    await withStore(run, 'write', async store => {
      if (!(await store.resumeDeliveries({ by: whoActs(run.typed) })))
        return run.notes.write('Deliveries were not paused.\n')
      const { pending } = await store.backlog()
      return run.notes.write(
        `Deliveries go on: ${counted(pending, 'lead waits', 'leads wait')}.${await outboxNote(run, store)}\n`,
      )
    })
    return exitCodes.done
  },
}
