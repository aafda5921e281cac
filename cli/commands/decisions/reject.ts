/** `reject`: a held lead is kept, and never delivered. */

import { plain } from '../../../server/export/plain-text.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { leadIdIn, readLeadId } from '../../leads/lead-ids.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'

const MOST_REASON = 200

export const reject: Command = {
  summary: 'Held leads are set aside for good, with your reason.',
  usage: ['ID … --reason TEXT'],
  about:
    'Sets leads aside that were held for a look: they are kept with your reason, shown by list --state rejected, counted and\n' +
    'exported, and never delivered. Of several ids all must be those of held leads, or none is rejected. If it was a\n' +
    'mistake, release them. Should the person come again, that lead is judged by itself; see suppress for people who are\n' +
    'never to be called.',
  options: {
    reason: { value: 'TEXT', about: `Why, in up to ${MOST_REASON} characters. It is erased with the person.` },
    ...byOption,
  },
  examples: ['0195f2d1 --reason "Mickey Mouse"', '0195f2d1-9a3c 0195f2d4 --reason "a test of ours"'],
  mostWords: Number.POSITIVE_INFINITY,
  async run(run) {
    const { typed, notes } = run
    if (typed.words.length === 0) throw new Misuse('Say which: the ID of a held lead, or several.')
    const typedIds = typed.words.map(readLeadId)
    const reason = readReason(typed.text('reason'))
    const by = whoActs(typed)
    return withStore(run, 'write', async store => {
      const ids = new Set<string>()
      for (const typedId of typedIds) ids.add(await leadIdIn(store, typedId))
      for (const id of ids) {
        const state = (await store.find(id))?.state
        if (state !== 'held') throw new Failure(`Lead ${id} is not held: its state is ${state}.`)
      }
      if ((await store.reject({ ids: [...ids], reason, by })) === 0) {
        throw new Failure(
          'Not all of them are held any more, so none was rejected. See npm run leads -- list --state held',
        )
      }
      await notes.write(`${ids.size === 1 ? `Lead ${[...ids][0]} is` : `${ids.size} leads are`} rejected.\n`)
      return exitCodes.done
    })
  },
}

function readReason(value: string | undefined): string {
  if (value === undefined) throw new Misuse('Say why: --reason "a few words".')
  const reason = plain(value).trim()
  if (reason === '' || reason.length > MOST_REASON) {
    throw new Misuse(`--reason must be a few words, ${MOST_REASON} characters at most.`)
  }
  return reason
}
