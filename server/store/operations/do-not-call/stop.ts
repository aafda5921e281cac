/**
 * Adds to the do-not-call list, the only record of stops, and reads it. A stop changes no lead: everyone who calls, and the outbox, reads
 * the list (stops.ts). To call or send a lead that it stops, an editor removes the entry first, which records who asked for that.
 */
import {
  type DoNotCallOrder,
  entriesOnList,
  recordedWith,
  type StandingRequest,
  standingIn,
} from '../../facts/do-not-call/requests.ts'
import { entryOf, isGiven, kindOf, lockContacts } from '../../facts/do-not-call/stops.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { addEntries } from '../../tables/do-not-call.ts'
import { inBatches, record } from '../../tables/do-not-call-history.ts'
import { closedBy } from './closed-numbers.ts'
import { tellOfStop } from './tell-crm.ts'

export type DoNotCallStore = ReturnType<typeof createDoNotCall>

export function createDoNotCall({ insist }: SqlPort, onDue: () => void) {
  return {
    /**
     * Adds emails and phone numbers to the list. `told`: leads that the CRM has or may have, so it hears of the stop. A delivery in
     * flight can't be recalled: the stop follows it, and it isn't retried.
     */
    async addToDoNotCall(order: DoNotCallOrder) {
      const batches = await inBatches(insist, order, stopIn)
      onDue()
      return {
        added: batches.flatMap(({ added }) => added),
        told: batches.flatMap(({ told }) => told),
      }
    },
  }
}

/** Within the caller's transaction, so that a call and the request it led to are recorded together. */
export async function stopIn(tx: Tx, order: DoNotCallOrder) {
  const entries = [...new Set(order.contacts.map(entryOf).filter(isGiven))].toSorted()
  await lockContacts(tx, entries)
  const recordedBefore = await recordedWith(tx, order)
  const unrecorded = entries.filter(entry => !recordedBefore.has(entry))
  const known = new Set((await entriesOnList(tx, unrecorded)).map(({ entry }) => entry))
  const added = unrecorded.filter(entry => !known.has(entry))
  const recorded = await record(tx, { event: 'added', entries: added, order })
  const { source = null } = order
  const rows = recorded.map(({ contact, at, n, requestId }) => ({ contact, addedAt: at, n, source, requestId }))
  await addEntries(tx, rows)
  // A second request is evidence, too, and keeps an Undo of the first from removing the entry. A list that is imported every night
  // is recorded once.
  const asked = order.leadId ?? order.callId
  const repeated =
    asked === undefined ? (await standingIn(tx, [...known])).filter(each => isSameCause(each, order)) : []
  const isRepeated = new Set(repeated.map(({ entry }) => entry))
  await record(tx, { event: 'confirmed', entries: [...known].filter(entry => !isRepeated.has(entry)), order })
  const addedBefore = entries.filter(entry => recordedBefore.get(entry) === 'added')
  return { added: [...addedBefore, ...added], told: await tellOfEntries(tx, added, order) }
}

/** Tells the CRM of leads that these entries, added or put back, close. */
export async function tellOfEntries(
  tx: Tx,
  added: readonly string[],
  order: Pick<DoNotCallOrder, 'leadId' | 'source'>,
): Promise<readonly string[]> {
  const told: string[] = []
  for (const contact of ['phone', 'email'] as const) {
    const ofKind = added.filter(entry => kindOf(entry) === contact)
    if (ofKind.length === 0) continue
    const ids = await closedBy(tx, ofKind)
    // An erased lead is found only by the page that asked.
    if (order.leadId !== undefined && !ids.includes(order.leadId)) ids.push(order.leadId)
    const except = order.source === 'crm' ? order.leadId : undefined
    told.push(...(await tellOfStop(tx, { leadIds: ids, contact, except })))
  }
  return told
}

const isSameCause = ({ by, source, askedOn }: StandingRequest, order: DoNotCallOrder) =>
  by === order.by && source === (order.source ?? null) && askedOn === (order.askedOn ?? null)
