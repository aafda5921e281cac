/** `release`: lets held leads go on to the webhook. */
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { leadIdIn, readLeadId } from '../../leads/lead-ids.ts'
import { whoAsks } from '../../leads/who-asks.ts'
import { outboxNote, withStore } from '../../leads/with-store.ts'
import { confirm, yesOption } from '../../terminal/ask.ts'
import { counted } from '../../terminal/words.ts'

export const release: Command = {
  summary: 'Held leads are accepted and delivered.',
  usage: ['ID …', '--all [--yes]'],
  about:
    'Accepts leads that were held for a look, and puts them into the outbox: the server delivers them. Of several ids all\n' +
    'must be those of held leads, or none is released. One that was rejected can be released after all, by its id.',
  options: { all: { about: 'All held leads.' }, ...yesOption },
  examples: ['0195f2d1', '0195f2d1-9a3c 0195f2d4', '--all'],
  mostWords: Number.POSITIVE_INFINITY,
  async run(run) {
    const { typed } = run
    const all = typed.isSet('all')
    if (all === typed.words.length > 0) throw new Misuse('Say which: the ID of a held lead, or several, or --all.')
    const typedIds = typed.words.map(readLeadId)
    return withStore(run, 'write', store => (all ? releaseAll(run, store) : releaseEach(run, store, typedIds)))
  },
}

async function releaseEach(run: Run, store: Store, typedIds: readonly string[]): Promise<number> {
  const ids = new Set<string>()
  for (const typedId of typedIds) ids.add(await leadIdIn(store, typedId))
  for (const id of ids) {
    const state = (await store.find(id))?.state
    if (state !== 'held' && state !== 'rejected') throw new Failure(`Lead ${id} is not held: its state is ${state}.`)
  }
  if ((await store.release({ ids: [...ids], by: whoAsks() })) === 0) {
    throw new Failure(
      'None was released: not all of them are held any more, or one was rejected whose person has come again since. See npm run leads -- show ID',
    )
  }
  const released = ids.size === 1 ? `Lead ${[...ids][0]} is` : `${ids.size} leads are`
  await run.notes.write(`${released} released.${await outboxNote(run, store)}\n`)
  return exitCodes.done
}

async function releaseAll(run: Run, store: Store): Promise<number> {
  const held = await store.count({ state: 'held' })
  if (held > 1 && !(await confirm(run, `Release ${counted(held, 'held lead')}?`))) return exitCodes.failed
  const released = await store.release({ ids: 'all held', by: whoAsks() })
  await run.notes.write(`${counted(released, 'lead')} released.${released > 0 ? await outboxNote(run, store) : ''}\n`)
  const left = await store.count({ state: 'held' })
  if (left > 0)
    await run.notes.write(`${left} still held: what is on the do-not-call list is released by its id only.\n`)
  return exitCodes.done
}
