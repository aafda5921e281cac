/** How much one client may send: an IPv4 address or an IPv6 /64. In ten minutes, unless it says otherwise. */
import { HOUR } from '../../domain/durations.ts'

/**
 * A whole mobile network can share one address, so leads are put on hold first. Those of a network, or of everyone together, are never
 * refused: they may come from a TV spot.
 */
export const leadLimits = { softLimit: 10, hardLimit: 60, networkLimit: 60 } as const

/** A family or an office may share an address. Anyone can get an IPv6 network with 65,536 clients. */
export const stopLimits = { hardLimit: 20, networkHardLimit: 60 } as const

/** A form with errors costs us more than it costs the sender. Not the leads' count, so nobody loses a lead to their mistakes. */
export const shownAgainLimits = { hardLimit: 60, networkHardLimit: 180 } as const

/** In an hour: nobody can have us write to many addresses. */
export const letterLimits = { softLimit: 3, networkLimit: 20, windowMs: HOUR } as const

/** A page asks once when it's opened. */
export const sentLeadLimits = { hardLimit: 120 } as const
