/**
 * The contact record, for complaints such as "I never agreed" and "stop calling me": what a person saw and agreed to, what was
 * sent, each call, and each request to stop, over all leads with the same phone number.
 */

import { formatPhone } from '../../domain/contact/phone.ts'
import type { Calendar } from '../settings/calendar.ts'
import type { Store } from '../store/store.ts'
import type { LoggedCall } from '../store/views/call-log.ts'
import type { DoNotCallEvent, RecordedEvent } from '../store/views/contact-history.ts'
import { type ConsentRecord, consentRecordOf } from './consent-record.ts'

export interface ContactRecord {
  readonly made: ConsentRecord['made']
  /** Null once erased. */
  readonly phone: string | null
  /** Oldest first. */
  readonly leads: readonly ConsentRecord[]
  /** How many leads with this number were left out. */
  readonly otherLeads: number
  readonly calls: readonly LoggedCall[]
  readonly doNotCall: readonly DoNotCallEvent[]
  readonly changes: readonly RecordedEvent[]
  /** Whether it has IP addresses and browsers. */
  readonly withDevices: boolean
}

/** Keeps a number that someone submitted thousands of times from making a page that nobody can open. */
export const MAX_LEADS = 100

export type RecordStore = Pick<
  Store,
  'find' | 'leadsWithSameNumber' | 'callsOfAll' | 'recordedEvents' | 'doNotCallEvents'
>

interface RecordRequest {
  /** All leads with the number. */
  readonly ids: readonly string[]
  /** The ones to show. */
  readonly shown: readonly string[]
  readonly at: number
  readonly by: string
  readonly calendar: Calendar
  /** For editors. */
  readonly withDevices: boolean
  /** By name, as they read now. */
  readonly headlines?: Readonly<Record<string, string>>
}

/** Which leads a lead's contact record covers, and which of them it shows: itself and the newest others. */
export async function leadsInRecord(store: RecordStore, id: string, key: string) {
  const ids = (await store.leadsWithSameNumber({ ids: [id], key })).get(id) ?? []
  const others = ids.filter(other => other !== id)
  return { ids, shown: [...others.slice(1 - MAX_LEADS), id].toSorted() }
}

export async function contactRecordOf(
  store: RecordStore,
  { ids, shown, withDevices, ...made }: RecordRequest,
): Promise<ContactRecord> {
  const leads = (await Promise.all(shown.map(id => store.find(id)))).filter(lead => lead !== null)
  const [calls, doNotCall, changes] = await Promise.all([
    store.callsOfAll(ids),
    store.doNotCallEvents(ids),
    store.recordedEvents(ids),
  ])
  const { at, by, calendar } = made
  const phone = leads.find(lead => lead.phone !== null)?.phone
  return {
    made: { at: calendar.iso(at), by, timeZone: calendar.zone },
    phone: phone ? formatPhone(phone) : null,
    leads: leads.map(lead =>
      consentRecordOf(withDevices ? lead : { ...lead, clientAddress: null, userAgent: null }, made),
    ),
    otherLeads: ids.length - leads.length,
    calls,
    doNotCall,
    changes,
    withDevices,
  }
}
