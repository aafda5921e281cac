/** What happens to a valid lead, whichever way it came: counted, held if it looks odd, stored. */
import type { ClientAddress } from '../http/client-address.ts'
import type { Answer, HttpRequest } from '../http/handler.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Capture, Submission } from './capture.ts'
import { holdReason } from './hold-reason.ts'
import type { Refuse } from './received.ts'

export interface SubmitServices {
  readonly capture: Capture
  readonly rateLimit: RateLimit
  readonly clientAddress: ClientAddress
}

type Facts = Omit<Submission, 'clientAddress' | 'userAgent' | 'holdReason'>

/** Null once the lead is on disk, be it new, a repeat or held; else the answer that refuses it. */
export type Submit = (facts: Facts, request: HttpRequest, refuse: Refuse) => Promise<Answer | null>

const USER_AGENT_LIMIT = 500

export function createSubmit({ capture, rateLimit, clientAddress }: SubmitServices): Submit {
  return async (facts, { socketAddress, header }, refuse) => {
    const address = clientAddress(socketAddress, header('x-forwarded-for'))
    const verdict = rateLimit.count(address)
    if (verdict.kind === 'too many') {
      return refuse(429, 'Too many leads came from this address.', { 'retry-after': `${verdict.retryAfterSeconds}` })
    }
    try {
      await capture({
        ...facts,
        clientAddress: address,
        userAgent: (header('user-agent') ?? '').slice(0, USER_AGENT_LIMIT),
        holdReason: holdReason(facts.contact, verdict.kind === 'many'),
      })
      return null
    } catch (error) {
      rateLimit.forgive(address)
      throw error
    }
  }
}
