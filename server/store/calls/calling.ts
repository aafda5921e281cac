/** Calls from claim to dial: open, take over, skip, dial, and take a dial back; and what callers learn about people. */
import { randomUUID } from 'node:crypto'
import { placeId } from '../../../domain/calling/area-codes.ts'
import { type CallBlock, mayWeCall } from '../../../domain/calling/may-we-call.ts'
import { UNRECORDED } from '../../../domain/calling/outcomes.ts'
import { CALL_MS } from '../../../domain/calling/plan.ts'
import { type Call, isStart, type Story } from '../../../domain/calling/story.ts'
import { addHistory } from '../leads/history.ts'
import type { SqlPort } from '../sql.ts'
import { claimNumber, claimOn, endClaim, renewClaim, type StoredClaim, undial } from './claims.ts'
import { type CallRequest, lockNumber, numberOf, numberToCall, situationOf } from './numbers.ts'
import { addEvents } from './stories.ts'

/** `closed`: this number isn't to be called; `message` says why. */
export type CallRefused =
  | { readonly kind: 'closed'; readonly message: string }
  | { readonly kind: 'claimed'; readonly claim: StoredClaim }

type Started = { readonly kind: 'started'; readonly at: number } | ({ readonly kind: 'blocked' } & CallBlock)

export const ERASED = { kind: 'closed', message: 'This person’s data was erased.' } as const

interface OwnCall {
  readonly leadId: string
  readonly personId: string
}

interface LeadChange<Value> {
  readonly leadId: string
  readonly value: Value
  readonly by: string
}

/** The person's last call without an outcome, if any. */
export const openDialOf = ({ calls }: Story, personId: string): Call | null =>
  calls.findLast(({ by, outcome }) => by.id === personId && outcome === UNRECORDED) ?? null

export function createCalling({ read, transact, now, dialect }: SqlPort) {
  return {
    /** Opens one person's call. `takeOver`: even if a colleague has it open. */
    claimCall: ({ leadId, person, takeOver }: Omit<CallRequest, 'hours'> & { readonly takeOver: boolean }) =>
      transact(async (sql, at): Promise<CallRefused | { readonly kind: 'open'; readonly claim: StoredClaim }> => {
        const found = await lockNumber(sql, dialect, leadId)
        if (!found) return ERASED
        const { stored } = found
        const { claim: before, closed, number } = await numberToCall(sql, found, { at, personId: person.id })
        if (!stored || !number) return { kind: 'closed', message: closed ?? ERASED.message }
        const block = mayWeCall('open', number, { personId: person.id })
        if (block?.why === 'closed') return { kind: 'closed', message: block.message }
        if (block && before && !takeOver) return { kind: 'claimed', claim: before }
        const claim = await claimNumber(sql, at, { storyId: stored.id, leadId }, person, { takeOver })
        if (!claim) return { kind: 'claimed', claim: (await claimOn(sql, stored.id, at)) as StoredClaim }
        if (block && before) {
          await addEvents(sql, dialect, stored, [{ kind: 'taken over', at, leadId, by: person, from: before.name }])
          const event = { kind: 'call taken over', by: person.name, from: before.name } as const
          await addHistory(sql, { leadId, at, event })
        }
        return { kind: 'open', claim }
      }),

    /** The person touched the page. Null if they no longer have the call. */
    renewClaim: ({ leadId, personId }: OwnCall) =>
      transact(async (sql, at) => {
        const story = (await numberOf(sql, dialect, leadId))?.stored
        return story ? renewClaim(sql, at, story.id, personId) : null
      }),

    skipCall: ({ leadId, person }: Omit<CallRequest, 'hours'>) =>
      transact(async (sql, at) => {
        const stored = (await lockNumber(sql, dialect, leadId))?.stored
        if (!stored) return
        await endClaim(sql, stored.id, person.id)
        await addEvents(sql, dialect, stored, [{ kind: 'skipped', at, leadId, by: person }])
        await addHistory(sql, { leadId, at, event: { kind: 'call skipped', by: person.name } })
      }),

    /** Records that the person is dialing. `overrideReason`: why an editor calls although it's not allowed now. */
    startCall: ({ leadId, person, hours, overrideReason }: CallRequest & { readonly overrideReason: string | null }) =>
      transact(async (sql, at): Promise<CallRefused | Started> => {
        const found = await lockNumber(sql, dialect, leadId)
        if (!found) return ERASED
        const { stored } = found
        const { claim, closed, number } = await numberToCall(sql, found, { at, personId: person.id })
        if (!stored || !number) return { kind: 'closed', message: closed ?? ERASED.message }
        const block = mayWeCall('dial', number, await situationOf(sql, at, person.id, hours))
        if (block?.why === 'closed') return { kind: 'closed', message: block.message }
        if (block?.why === 'claimed' && claim) return { kind: 'claimed', claim }
        if (block && overrideReason === null) return { kind: 'blocked', ...block }
        const claimed = await claimNumber(sql, at, { storyId: stored.id, leadId }, person, { dialedAt: at })
        if (!claimed) return { kind: 'claimed', claim: (await claimOn(sql, stored.id, at)) as StoredClaim }
        const place = number.place && placeId(number.place)
        const reason = block ? overrideReason : null
        const dialed = { kind: 'dialed', id: randomUUID(), at, by: person, leadId, place, reason } as const
        await addEvents(sql, dialect, stored, [dialed], hours)
        return { kind: 'started', at }
      }),

    /** The person dialed by mistake, or there was no call after all. False if there's no such call. */
    withdrawCall: ({ leadId, person, hours }: CallRequest) =>
      transact(async (sql, at) => {
        const stored = (await lockNumber(sql, dialect, leadId))?.stored
        const dial = stored && openDialOf(stored.story, person.id)
        const start = stored?.events.find(({ n }) => n === dial?.n)
        if (!stored || !start || !isStart(start)) return false
        const corrected = { kind: 'corrected', id: start.id, at, by: person, corrects: start.n } as const
        await addEvents(sql, dialect, stored, [corrected], hours)
        if (start.kind === 'incoming') await endClaim(sql, stored.id, person.id)
        else await undial(sql, at, stored.id, person.id)
        return true
      }),

    /** Calls that this person made or took without saying what happened, oldest first. */
    async unfinishedCalls(personId: string) {
      const since = (await now()) - CALL_MS
      const rows = await read<{ leadId: string; at: number; incoming: number; contact: string }>(
        `SELECT dialed.lead_id AS "leadId", calls.at, calls.incoming, contact FROM calls
         JOIN story_events AS dialed ON dialed.story_id = calls.story_id AND dialed.n = calls.n
         JOIN leads ON leads.id = dialed.lead_id
         WHERE calls.person_id = $1 AND calls.outcome = '${UNRECORDED}' AND calls.at > $2 AND leads.contact IS NOT NULL ORDER BY calls.at`,
        [personId, since],
      )
      return rows.map(({ leadId, at, incoming, contact }) => {
        const { firstName, lastName } = JSON.parse(contact) as Record<'firstName' | 'lastName', string>
        return { leadId, at, incoming: incoming === 1, firstName, lastName }
      })
    },

    /** Where the person is, for all leads with this number. Null: where their area code is. False if the lead was erased. */
    setCallPlace: ({ leadId, value: place, by }: LeadChange<string | null>) =>
      transact(async (sql, at) => {
        const found = await lockNumber(sql, dialect, leadId)
        if (!found?.lead.phone || !found.stored) return false
        await addEvents(sql, dialect, found.stored, [{ kind: 'place', at, leadId, by: { name: by }, place }])
        await addHistory(sql, { leadId, at, event: { kind: 'place set', by, place } })
        return true
      }),

    setLeadLanguage: ({ leadId, value: language, by }: LeadChange<string>) =>
      transact(async (sql, at) => {
        const found = await lockNumber(sql, dialect, leadId)
        if (!found?.lead.phone) return false
        await sql('UPDATE leads SET language = $2 WHERE id = $1', [leadId, language])
        const event = { kind: 'language', at, leadId, by: { name: by }, language } as const
        if (found.stored) await addEvents(sql, dialect, found.stored, [event])
        await addHistory(sql, { leadId, at, event: { kind: 'language set', by, language } })
        return true
      }),
  }
}
