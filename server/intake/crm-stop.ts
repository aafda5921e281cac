/** Receives requests not to be called from the operator's CRM. */
import { type DoNotCall, parseDoNotCall } from '../../domain/do-not-call/do-not-call.ts'
import type { Handler } from '../http/handler.ts'
import type { CrmStop } from '../store/operations/do-not-call/crm-stops.ts'
import { type CrmServices, createCrmHandler, MAX_ID_LENGTH } from './crm-message.ts'

export const CRM_STOP_PATH = '/api/do-not-call'

export const createCrmStopHandler = (services: CrmServices): Handler =>
  createCrmHandler(services, {
    what: 'asked us to stop calling someone',
    read: readStop,
    expected: 'Send JSON with "phone" (US, 10 digits), "email", or "leadId" (data.id of a lead we sent).',
    async record(store, webhookId, stop) {
      const { kind } = await store.stopFromCrm({ webhookId, ...stop })
      if (kind === 'unknown lead') return { status: 422, message: 'There’s no lead with this ID, or it was erased.' }
      return { status: 200, message: kind === 'known' ? 'Already recorded.' : 'Recorded.' }
    },
    failed: 'stop_not_recorded',
  })

function readStop({
  phone,
  email,
  leadId = null,
}: Readonly<Record<string, unknown>>): Omit<CrmStop, 'webhookId'> | null {
  if (leadId !== null && (typeof leadId !== 'string' || leadId.length > MAX_ID_LENGTH)) return null
  const contacts: DoNotCall[] = []
  for (const given of [phone, email]) {
    if (given === undefined || given === null) continue
    const contact = typeof given === 'string' ? parseDoNotCall(given) : null
    if (contact === null) return null
    contacts.push(contact)
  }
  return contacts.length === 0 && leadId === null ? null : { contacts, leadId }
}
