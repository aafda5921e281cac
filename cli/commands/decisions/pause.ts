/** `pause`: leads are taken, and delivered later. */
import type { Command } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { pauseInWords } from '../../leads/pause-words.ts'
import { calendarOf } from '../../leads/when.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'

const LONGEST_REASON = 200

export const pause: Command = {
  summary: 'Nothing is delivered until resume; leads are taken all the same.',
  usage: ['[--reason TEXT]'],
  about:
    'Stops deliveries of every server of this store, also after a restart, until `resume`: while the receiver is moved, or\n' +
    'a wrong address is put right. What is just being sent is finished; a server that runs notices within five seconds.\n' +
    'Leads are taken and kept meanwhile. `list --summary`, `doctor` and, once leads wait, alerts say that deliveries are\n' +
    'paused. Given once more, a reason takes the place of the one before.',
  options: {
    reason: { value: 'TEXT', about: 'Why, for whoever wonders later. Keep names of visitors out of it.' },
    ...byOption,
  },
  examples: ['', '--reason "the CRM is being moved"'],
  mostWords: 0,
  async run(run) {
    const reason = run.typed.text('reason')?.trim() ?? ''
    if (reason.length > LONGEST_REASON) throw new Misuse(`--reason may have ${LONGEST_REASON} characters.`)
    await withStore(run, 'write', async store => {
      const isNew = await store.pauseDeliveries({ reason, by: whoActs(run.typed) })
      const standing = await store.deliveryPause()
      const words = standing && !isNew ? pauseInWords(standing, calendarOf(run)) : 'Deliveries are paused.'
      await run.notes.write(`${words} They go on with: npm run leads -- resume\n`)
    })
    return exitCodes.done
  },
}
