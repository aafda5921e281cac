/** `release`: lets held leads go on to the webhook. */
import type { LeadRecord } from '../../../server/store/lead-records.ts'
import { leadPages } from '../../../server/store/leads.ts'
import { DO_NOT_CALL } from '../../../server/store/repeats.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { leadIdIn, readLeadId } from '../../leads/lead-ids.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { outboxNote, withStore } from '../../leads/with-store.ts'
import { confirm, yesOption } from '../../terminal/ask.ts'
import { counted } from '../../terminal/words.ts'

const BATCH = 500

export const release: Command = {
  summary: 'Held leads are accepted and delivered.',
  usage: ['ID …', '--all [--yes]'],
  about:
    'Accepts leads that were held for a look, and puts them into the outbox: the server delivers them. Of several ids all\n' +
    'must be those of held leads, or none is released. One that was rejected can be released after all, by its id.',
  options: { all: { about: 'All held leads.' }, ...yesOption, ...byOption },
  examples: ['0195f2d1', '0195f2d1-9a3c 0195f2d4', '--all'],
  mostWords: Number.POSITIVE_INFINITY,
  async run(run) {
    const { typed } = run
    const all = typed.isSet('all')
    if (all === typed.words.length > 0) throw new Misuse('Say which: the ID of a held lead, or several, or --all.')
    const typedIds = typed.words.map(readLeadId)
    const by = whoActs(typed)
    return withStore(run, 'write', store => (all ? releaseAll(run, store, by) : releaseEach(run, store, typedIds, by)))
  },
}

async function releaseEach(run: Run, store: Store, typedIds: readonly string[], by: string): Promise<number> {
  const ids = new Set<string>()
  for (const typedId of typedIds) ids.add(await leadIdIn(store, typedId))
  for (const id of ids) {
    const state = (await store.find(id))?.state
    if (state !== 'held' && state !== 'rejected') throw new Failure(`Lead ${id} is not held: its state is ${state}.`)
  }
  if ((await store.release({ ids: [...ids], by })) === 0) {
    throw new Failure(
      'None was released: not all of them are held any more, or one was rejected whose person has come again since. See npm run leads -- show ID',
    )
  }
  const released = ids.size === 1 ? `Lead ${[...ids][0]} is` : `${ids.size} leads are`
  await run.notes.write(`${released} released.${await outboxNote(run, store)}\n`)
  return exitCodes.done
}

/** Asks about the very leads that are then released: not about people on the do-not-call list, nor what arrives meanwhile. */
async function releaseAll(run: Run, store: Store, by: string): Promise<number> {
  const ids: string[] = []
  let listed = 0
  for await (const held of leadPages(store, { filter: { state: 'held' }, order: 'oldest first', limit: BATCH })) {
    const free = await notListed(store, held)
    ids.push(...free)
    listed += held.length - free.length
  }
  const left =
    listed === 0
      ? ''
      : ` ${counted(listed, 'lead stays', 'leads stay')} on hold: on the do-not-call list. Approve by ID to send one anyway.`
  if (ids.length > 1 && !(await confirm(run, `Release ${counted(ids.length, 'held lead')}?${left}`)))
    return exitCodes.failed
  let released = 0
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = await store.leadsWithIds(ids.slice(start, start + BATCH))
    const still = await notListed(
      store,
      batch.filter(({ state }) => state === 'held'),
    )
    if (still.length > 0) released += await store.release({ ids: still, by })
  }
  await run.notes.write(
    `${counted(released, 'lead')} released.${left}${released > 0 ? await outboxNote(run, store) : ''}\n`,
  )
  return exitCodes.done
}

async function notListed(store: Store, leads: readonly LeadRecord[]): Promise<readonly string[]> {
  const listed = new Set(await store.suppressedLeads(leads.map(({ id }) => id)))
  return leads.filter(({ id, heldReason }) => !listed.has(id) && heldReason !== DO_NOT_CALL).map(({ id }) => id)
}
