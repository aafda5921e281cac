/** Someone called whom we don't know: to ask something, or to be left alone. Only that there was a call. */
import type { Agent } from '../../../domain/calling/story-events.ts'
import { insert, type SqlPort } from '../sql.ts'

export function createUnknownCallers({ transact }: SqlPort) {
  return {
    recordUnknownCaller: ({ person: { id, name } }: { readonly person: Agent }) =>
      transact(async tx => {
        await insert(tx, 'unknown_callers', { at: tx.at, personId: id, personName: name })
      }),
  }
}
