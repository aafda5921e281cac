/** `redeliver`: puts leads back into the outbox. */
import type { Selection } from '../../../server/store/review.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { leadIdIn, noSuchLead, readLeadId } from '../../leads/lead-ids.ts'
import { calendarOf, rangeOptions, readRange } from '../../leads/when.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { outboxNote, withStore } from '../../leads/with-store.ts'
import { confirm, yesOption } from '../../terminal/ask.ts'
import { counted } from '../../terminal/words.ts'

export const redeliver: Command = {
  summary: 'Leads are delivered again: one, all dead ones, or those of a time.',
  usage: ['ID', '--dead [--since WHEN] [--until WHEN] [--yes]', '--since WHEN [--until WHEN] [--yes]'],
  about:
    'Puts leads back into the outbox, due at once and with all attempts before them again. A range of time takes all\n' +
    'accepted leads of it, those that were delivered too; with --dead only the dead ones. What is due within a minute\n' +
    'anyway is left alone, and so are the leads of people on the do-not-call list, unless the ID of one is given.\n' +
    'Deliveries carry the same webhook-id as before, so that the receiver can tell a repetition.',
  options: { dead: { about: 'Those whose delivery was given up.' }, ...rangeOptions, ...yesOption, ...byOption },
  examples: ['0195f2d1', '--dead', '--since 2030-01-31 --until 2030-02-01'],
  mostWords: 1,
  async run(run) {
    const { notes } = run
    const typedSelection = readSelection(run)
    const by = whoActs(run.typed)
    return withStore(run, 'write', async store => {
      const selection = 'id' in typedSelection ? { id: await leadIdIn(store, typedSelection.id) } : typedSelection
      const { leads, suppressed } = await store.countRedeliverable(selection)
      if (leads === 0 && 'id' in selection) throw await whyNot(store, selection.id)
      if (suppressed > 0) {
        const left = counted(suppressed, 'lead is left out: its person is', 'leads are left out: their people are')
        await notes.write(`${left} on the do-not-call list. By its ID, each is sent all the same.\n`)
      }
      if (leads > 1 && !(await confirm(run, `Deliver ${counted(leads, 'lead')} again?`))) return exitCodes.failed
      const put = await store.redeliver({ ...selection, by })
      await notes.write(`${counted(put, 'lead')} put into the outbox.${put > 0 ? await outboxNote(run, store) : ''}\n`)
      return exitCodes.done
    })
  },
}

function readSelection(run: Run): Selection {
  const { typed } = run
  const [word] = typed.words
  const range = readRange(typed, run.now(), calendarOf(run))
  const byRange = typed.isSet('dead') || Object.keys(range).length > 0
  if (byRange === (word !== undefined)) {
    throw new Misuse('Say which: the ID of a lead, --dead, or a time with --since and --until.')
  }
  if (word !== undefined) return { id: readLeadId(word) }
  return { ...range, ...(typed.isSet('dead') ? { delivery: 'dead' } : { state: 'accepted' }) }
}

async function whyNot(store: Store, id: string): Promise<Failure> {
  const lead = await store.find(id)
  if (!lead) return noSuchLead(id)
  if (lead.state === 'held') return new Failure(`Lead ${id} is held: npm run leads -- approve ${id}`)
  if (lead.state === 'rejected')
    return new Failure(`Lead ${id} was rejected. After all: npm run leads -- approve ${id}`)
  if (lead.state === 'repeat' && !lead.delivery)
    return new Failure(`Lead ${id} repeats ${lead.repeatOf}, which is the one to deliver.`)
  if (lead.state === 'erased') return new Failure(`Lead ${id} is erased: there is nothing to deliver.`)
  return new Failure(`Lead ${id} is on its way already: it is due within a minute.`)
}
