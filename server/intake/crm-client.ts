/** Receives from the operator's CRM who became a client. */
import { addDays, isCalendarDate } from '../../domain/dates.ts'
import type { Handler } from '../http/handler.ts'
import { createCalendar } from '../settings/calendar.ts'
import type { CrmClient } from '../store/operations/leads/clients.ts'
import { type CrmServices, createCrmHandler, MAX_ID_LENGTH } from './crm-message.ts'

export const CRM_CLIENT_PATH = '/api/clients'

export function createCrmClientHandler(services: CrmServices): Handler {
  const calendar = createCalendar(services.config.timeZone)
  return createCrmHandler(services, {
    what: 'reported a client',
    read: fields => readClient(fields, calendar.dateOf(services.now())),
    expected: 'Send JSON with "leadId" (data.id of a lead we sent) and, if it wasn’t today, "on" (such as 2030-01-31).',
    async record(store, webhookId, client) {
      const kind = await store.clientFromCrm({ webhookId, ...client })
      // Sending it again wouldn't help.
      if (kind === 'unknown lead')
        return { status: 202, message: 'Nothing recorded: there’s no lead with this ID, or it was erased.' }
      return { status: 200, message: kind === 'known' ? 'Already recorded.' : 'Recorded.' }
    },
    failed: 'client_not_recorded',
  })
}

/** The CRM's day may begin before ours. */
function readClient(
  { leadId, on }: Readonly<Record<string, unknown>>,
  today: string,
): Omit<CrmClient, 'webhookId'> | null {
  const day = on ?? today
  if (typeof leadId !== 'string' || leadId.length > MAX_ID_LENGTH) return null
  if (typeof day !== 'string' || !isCalendarDate(day) || day < '2000' || day > addDays(today, 1)) return null
  return { leadId, on: day }
}
