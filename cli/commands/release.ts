/** `release`: lets held leads go on to the webhook. */
import { releaseLeads } from '../../server/leads/handle-leads.ts'
import { countLeads, findLead } from '../../server/leads/lead-records.ts'
import type { Command } from '../command.ts'
import { confirm, yesOption } from '../confirm.ts'
import { exitCodes, Failure, Misuse } from '../failure.ts'
import { noSuchLead, readLeadId } from '../lead-options.ts'
import { withStore } from '../store.ts'
import { webhookNote } from '../webhook-note.ts'
import { counted } from '../words.ts'

export const release: Command = {
  summary: 'Held leads are accepted and delivered.',
  usage: ['ID', '--all [--yes]'],
  about: 'Accepts leads that were held for a look, and puts them into the outbox: the server delivers them.',
  options: { all: { about: 'All held leads.' }, ...yesOption },
  examples: ['0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d', '--all'],
  mostWords: 1,
  async run(run) {
    const { typed, notes, now } = run
    const [word] = typed.words
    const all = typed.isSet('all')
    if (all === (word !== undefined)) throw new Misuse('Say which: the ID of a held lead, or --all.')
    return withStore(run, 'write', async database => {
      if (word !== undefined) {
        const id = readLeadId(word)
        if ((await releaseLeads(database, { id }, now())) === 0) {
          const lead = await findLead(database, id)
          throw lead ? new Failure(`Lead ${id} is not held: its state is ${lead.state}.`) : noSuchLead(id)
        }
        await notes.write(`Lead ${id} is released.${webhookNote(run)}\n`)
        return exitCodes.done
      }
      const held = await countLeads(database, { state: 'held' })
      if (held > 1 && !(await confirm(run, `Release ${counted(held, 'held lead')}?`))) return exitCodes.failed
      const released = await releaseLeads(database, 'all', now())
      await notes.write(`${counted(released, 'lead')} released.${released > 0 ? webhookNote(run) : ''}\n`)
      return exitCodes.done
    })
  },
}
