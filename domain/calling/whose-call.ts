/** Whose call is this? One answer for the call's page, for saving, and for taking a dial back. */
import { CALL_MS, type MadeCall, unfinishedCallOf } from './made-calls.ts'
import type { Story } from './story.ts'

/** Who has the number open, as far as it's stored. */
export interface Claim {
  readonly personId: string
  readonly name: string
  readonly since: number
  readonly expiresAt: number
  /** 1: they dialed. */
  readonly dialed: number
}

export type WhoseCall =
  /** This agent dialed, or took the call, and hasn't said what happened. */
  | { readonly kind: 'started'; readonly call: MadeCall }
  /** The same, but so long ago that they may mean another call. `since`: when they opened it again, if they have it open. */
  | { readonly kind: 'left'; readonly call: MadeCall; readonly since: number | null }
  /** This agent has it open. */
  | { readonly kind: 'open'; readonly since: number }
  | { readonly kind: 'taken'; readonly by: Claim }
  | { readonly kind: 'free' }

/** `claim`: also one that has run out, if nobody else took the number since. */
export function whoseCall(
  { calls }: Pick<Story, 'calls'>,
  claim: Claim | null,
  { personId, at }: { readonly personId: string; readonly at: number },
): WhoseCall {
  const call = unfinishedCallOf(calls, personId)
  const since = claim?.personId === personId ? claim.since : null
  if (call && at < call.at + CALL_MS) return { kind: 'started', call }
  if (call) return { kind: 'left', call, since }
  if (since !== null) return { kind: 'open', since }
  return claim && claim.expiresAt > at ? { kind: 'taken', by: claim } : { kind: 'free' }
}
