/** Calls from claim to dial: open, take over, skip, dial, and take a dial back; and what agents learn about people. */
import { randomUUID } from 'node:crypto'
import { placeId } from '../../../../domain/calling/area-codes.ts'
import { standingAmong } from '../../../../domain/calling/made-calls.ts'
import { type CallBlock, mayWeCall } from '../../../../domain/calling/may-we-call.ts'
import type { CallPromise } from '../../../../domain/calling/standing.ts'
import { type Agent, isStart } from '../../../../domain/calling/story-events.ts'
import type { Claim } from '../../../../domain/calling/whose-call.ts'
import { claimOn } from '../../facts/calls/claims.ts'
import {
  type CallRequest,
  lockNumber,
  lockStories,
  numberNow,
  numberOf,
  situationOf,
} from '../../facts/calls/numbers.ts'
import type { StoredStory } from '../../facts/calls/stories.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { claimNumber, endClaim, renewClaim, undial } from '../../tables/call-claims.ts'
import { addHistory } from '../../tables/history.ts'
import { setLanguage } from '../../tables/leads.ts'
import { addEvents } from '../../tables/stories.ts'

/** `closed`: this number isn't to be called; `message` says why. */
export type CallRefused =
  | { readonly kind: 'closed'; readonly message: string }
  | { readonly kind: 'claimed'; readonly claim: Claim }

interface GivenCallbacks {
  /** Of any lead on each number. */
  readonly leads: readonly string[]
  readonly person: Agent
  readonly from: string | null
  readonly to: Agent
}

type Started = { readonly kind: 'started'; readonly at: number } | ({ readonly kind: 'blocked' } & CallBlock)

export const ERASED = { kind: 'closed', message: 'This person’s data was erased.' } as const

/** Pressed twice, or in two tabs. Nobody hangs up and dials again that fast. */
const PRESSED_TWICE_MS = 3000

interface OwnCall {
  readonly leadId: string
  readonly personId: string
}

interface LeadChange<Value> {
  readonly leadId: string
  readonly value: Value
  readonly by: string
}

export function createCalling({ transact }: SqlPort) {
  return {
    /** Opens one person's call. `takeOver`: even if a colleague has it open. */
    claimCall: ({ leadId, person, takeOver }: Omit<CallRequest, 'hours'> & { readonly takeOver: boolean }) =>
      transact(async (tx): Promise<CallRefused | { readonly kind: 'open'; readonly claim: Claim }> => {
        const found = await lockNumber(tx, leadId)
        if (!found) return ERASED
        const { stored } = found
        const { claim: before, closed, number } = await numberNow(tx, found, { at: tx.at, personId: person.id })
        if (!stored || !number) return { kind: 'closed', message: closed ?? ERASED.message }
        const block = mayWeCall('open', number, { personId: person.id })
        if (block?.why === 'closed') return { kind: 'closed', message: block.message }
        if (block && before && !takeOver) return { kind: 'claimed', claim: before }
        const claim = await claimNumber(tx, { storyId: stored.id, leadId }, person, { takeOver })
        if (!claim) return { kind: 'claimed', claim: (await claimOn(tx, stored.id, tx.at)) as Claim }
        if (block && before) {
          await addEvents(tx, stored, [{ kind: 'taken over', at: tx.at, leadId, by: person, from: before.name }])
          const event = { kind: 'call taken over', by: person.name, from: before.name } as const
          await addHistory(tx, { leadId, event })
        }
        return { kind: 'open', claim }
      }),

    /** The person touched the page. Null if they no longer have the call. */
    renewClaim: ({ leadId, personId }: OwnCall) =>
      transact(async tx => {
        const story = (await numberOf(tx, leadId))?.stored
        return story ? renewClaim(tx, story.id, personId) : null
      }),

    /** `leaves`: for someone who speaks the person's language. */
    skipCall: ({ leadId, person, leaves = false }: Omit<CallRequest, 'hours'> & { readonly leaves?: boolean }) =>
      transact(async tx => {
        const stored = (await lockNumber(tx, leadId))?.stored
        if (!stored) return
        await endClaim(tx, stored.id, person.id)
        await addEvents(tx, stored, [{ kind: 'skipped', at: tx.at, leadId, by: person, ...(leaves && { leaves }) }])
        await addHistory(tx, { leadId, event: { kind: 'call skipped', by: person.name } })
      }),

    /** `from`: whose promised callbacks, null for everyone's. Returns how many. */
    giveCallbacks: ({ leads, person, from, to }: GivenCallbacks) =>
      transact(async tx => {
        const given: CallPromise[] = []
        for (const stored of await lockStories(tx, leads)) {
          const theirs = promisesIn(stored).filter(({ by }) => from === null || by.id === from)
          const [first] = theirs
          if (!first) continue
          const promises = theirs.map(({ n }) => n)
          await addEvents(tx, stored, [{ kind: 'given', at: tx.at, leadId: first.leadId, by: person, promises, to }])
          given.push(...theirs)
        }
        await recordGiven(tx, given, person, () => to.name)
        return given.length
      }),

    /** Undoes the person's own gifts, unless the colleague has called already or gave them away. Returns how many callbacks are back. */
    takeCallbacksBack: ({ leads, person }: Pick<GivenCallbacks, 'leads' | 'person'>) =>
      transact(async tx => {
        let count = 0
        for (const stored of await lockStories(tx, leads)) {
          const given = standingAmong(stored.events).findLast(event => event.kind === 'given')
          if (given?.by.id !== person.id) continue
          const back = promisesIn(stored).filter(({ n }) => given.promises.includes(n))
          if (back.length === 0) continue
          const corrected = { kind: 'corrected', id: randomUUID(), at: tx.at, by: person, corrects: given.n } as const
          const { story } = await addEvents(tx, stored, [corrected])
          await recordGiven(tx, back, person, ({ leadId }) => story.standings.get(leadId)?.promise?.by.name ?? '')
          count += back.length
        }
        return count
      }),

    /** Records that the person is dialing. `overrideReason`: why an editor calls although it's not allowed now. */
    startCall: ({ leadId, person, hours, overrideReason }: CallRequest & { readonly overrideReason: string | null }) =>
      transact(async (tx): Promise<CallRefused | Started> => {
        const found = await lockNumber(tx, leadId, { hours })
        if (!found) return ERASED
        const { stored } = found
        const { claim, closed, number, whose } = await numberNow(tx, found, { at: tx.at, personId: person.id })
        if (!stored || !number) return { kind: 'closed', message: closed ?? ERASED.message }
        if (whose.kind === 'started' && !whose.call.incoming && tx.at < whose.call.at + PRESSED_TWICE_MS)
          return { kind: 'started', at: whose.call.at }
        const block = mayWeCall('dial', number, await situationOf(tx, tx.at, person.id, hours))
        if (block?.why === 'closed') return { kind: 'closed', message: block.message }
        if (block?.why === 'claimed' && claim) return { kind: 'claimed', claim }
        if (block && overrideReason === null) return { kind: 'blocked', ...block }
        const claimed = await claimNumber(tx, { storyId: stored.id, leadId }, person, { dialedAt: tx.at })
        if (!claimed) return { kind: 'claimed', claim: (await claimOn(tx, stored.id, tx.at)) as Claim }
        const place = number.place && placeId(number.place)
        const reason = block ? overrideReason : null
        const dialed = { kind: 'dialed', id: randomUUID(), at: tx.at, by: person, leadId, place, reason } as const
        await addEvents(tx, stored, [dialed])
        return { kind: 'started', at: tx.at }
      }),

    /**
     * The person dialed by mistake, or there was no call after all. False if there's no such call, or if it's so long ago that they may
     * not mean it.
     */
    withdrawCall: ({ leadId, person, hours }: CallRequest) =>
      transact(async tx => {
        const found = await lockNumber(tx, leadId, { hours })
        const { stored } = found ?? {}
        if (!found || !stored) return false
        const { whose } = await numberNow(tx, found, { at: tx.at, personId: person.id })
        const start = whose.kind === 'started' ? stored.events.find(({ n }) => n === whose.call.n) : undefined
        if (!start || !isStart(start)) return false
        await addEvents(tx, stored, [{ kind: 'corrected', id: start.id, at: tx.at, by: person, corrects: start.n }])
        if (start.kind === 'incoming') await endClaim(tx, stored.id, person.id)
        else await undial(tx, stored.id, person.id)
        return true
      }),

    /** Where the person is, for all leads with this number. Null: where their area code is. False if the lead was erased. */
    setCallPlace: ({ leadId, value: place, by }: LeadChange<string | null>) =>
      transact(async tx => {
        const found = await lockNumber(tx, leadId)
        if (!found?.lead.phone || !found.stored) return false
        await addEvents(tx, found.stored, [{ kind: 'place', at: tx.at, leadId, by: { name: by }, place }])
        await addHistory(tx, { leadId, event: { kind: 'place set', by, place } })
        return true
      }),

    setLeadLanguage: ({ leadId, value: language, by }: LeadChange<string>) =>
      transact(async tx => {
        const found = await lockNumber(tx, leadId)
        if (!found?.lead.phone) return false
        await setLanguage(tx, leadId, language)
        const event = { kind: 'language', at: tx.at, leadId, by: { name: by }, language } as const
        if (found.stored) await addEvents(tx, found.stored, [event])
        await addHistory(tx, { leadId, event: { kind: 'language set', by, language } })
        return true
      }),
  }
}

const promisesIn = ({ story }: StoredStory): readonly CallPromise[] =>
  [...story.standings.values()].flatMap(({ promise }) => promise ?? [])

/** `to`: whose a callback is now. */
async function recordGiven(
  tx: Tx,
  callbacks: readonly CallPromise[],
  { name: by }: Agent,
  to: (of: CallPromise) => string,
) {
  for (const callback of callbacks) {
    const event = { kind: 'callback given', by, from: callback.by.name, to: to(callback) } as const
    await addHistory(tx, { leadId: callback.leadId, event })
  }
}
