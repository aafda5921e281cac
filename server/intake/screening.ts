/** What every submission passes: where it comes from, how many come from there, and whether it looks like spam. */
import type { HoldReason } from '../../domain/leads/hold-reasons.ts'
import type { Contact } from '../../domain/leads/lead.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { createClientAddress, createProxyWatch } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import { createRateLimit, type Verdict } from '../http/rate-limit.ts'
import type { Config } from '../settings/config.ts'
import { isSentToOurHostname, type Refusal } from './lead-request.ts'
import { leadLimits } from './limits.ts'

export interface ScreeningServices {
  readonly config: Pick<Config, 'publicHostname' | 'trustProxy' | 'leadFloodLimit'>
  readonly alerts: Alerts
}

export interface Screened {
  readonly clientAddress: string
  readonly userAgent: string
  readonly spamReason: (contact: Contact) => HoldReason | null
  /** A lead that wasn't stored doesn't count against its sender. */
  readonly uncount: () => void
}

export type Screening = ReturnType<typeof createScreening>

const USER_AGENT_LIMIT = 500

export function createScreening({ config, alerts }: ScreeningServices) {
  const rateLimit = createRateLimit({ ...leadLimits, totalLimit: config.leadFloodLimit })
  const clientAddress = createClientAddress(config.trustProxy)
  const checkProxy = createProxyWatch(clientAddress, alerts)
  return ({ socketAddress, header }: HttpRequest): Screened | { readonly refusal: Refusal } => {
    const address = clientAddress(socketAddress, header('x-forwarded-for'))
    checkProxy(address, socketAddress, header)
    const isOurHost = isSentToOurHostname(header, config.publicHostname)
    if (!isOurHost) {
      alerts.raise(
        'lead_host_unknown',
        'Leads are coming in through a hostname other than the one in SITE_URL and are being put on hold. If the hostname is yours, redirect it to SITE_URL.',
      )
    }
    const verdict = rateLimit.count(address)
    if (verdict.kind === 'refuse') {
      const headers = { 'retry-after': `${verdict.retryAfterSeconds}` }
      return { refusal: { status: 429, message: 'Too many leads from this address.', headers } }
    }
    if (verdict.kind === 'hold' && verdict.from !== 'one address') {
      const { from, limit, count } = verdict
      const text = `${count} leads in ten minutes${from === 'one network' ? ' from one network' : ''}. The limit is ${limit}, so the rest are put on hold. Review them in the desk: Leads > On hold.`
      alerts.raise('lead_flood', text, { detail: { from } })
    }
    return {
      clientAddress: address,
      userAgent: (header('user-agent') ?? '').slice(0, USER_AGENT_LIMIT),
      spamReason: contact => spamReason(contact, isOurHost, verdict),
      uncount: () => rateLimit.uncount(address),
    }
  }
}

/** Possible spam is put on hold, never dropped, because it may be a real person. */
function spamReason(contact: Contact, isOurHost: boolean, verdict: Verdict): HoldReason | null {
  if (!isOurHost) return 'it came under another name'
  if (verdict.kind === 'hold') return `many from ${verdict.from}`
  if ([contact.firstName, contact.lastName].some(name => /https?:\/\/|www\./i.test(name))) return 'a link in the name'
  return null
}
