/** `consent`: what to show someone who says they were called without consent. */
import type { Calendar } from '../../../server/calendar.ts'
import { isoTime } from '../../../server/export/lead-json.ts'
import { plain } from '../../../server/export/plain-text.ts'
import { findKey } from '../../../server/installation-key.ts'
import { type ConsentRecord, consentRecordOf } from '../../../server/record/consent-record.ts'
import type { LeadDossier } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { askedPersonOptions, type Contact, readContact } from '../../leads/person.ts'
import { calendarOf } from '../../leads/when.ts'
import { byOption, LOOK_REST_MS, whoActs } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'
import { counted } from '../../terminal/words.ts'

export const consent: Command = {
  summary: 'Show every consent given with an email address or phone number, also by erased people.',
  usage: ['[--json]', '--phone [NUMBER] [--json]', '--email [ADDRESS] [--json]'],
  about:
    'For "you called me without consent": shows every consent given with a number: when, on which page, the text, button,\n' +
    'and questions as presented, the certificate, and each delivery. These are the facts of the desk’s consent record.\n' +
    'Erased leads are found by the hash that remains, which needs the key that they were erased with.\n' +
    'Leave out NUMBER and ADDRESS if you can: you are asked for them, or they are read from standard input.',
  options: { ...askedPersonOptions, json: { about: 'As JSON, one object per line.' }, ...byOption },
  examples: ['', '--phone', '--phone --json < number.txt'],
  mostWords: 0,
  async run(run) {
    const contact = await readContact(run)
    const key = findKey(run.readConfig())
    const by = whoActs(run.typed)
    return withStore(run, 'write', async store => {
      const { ids, underOtherKeys } = await store.erasedLeadsOf({ person: contact, key })
      const given = await consentsOf(store, contact, ids)
      for (const { id } of given) await store.recordLook({ id, by, restMs: LOOK_REST_MS })
      const calendar = calendarOf(run)
      const recordOf = (lead: LeadDossier) => consentRecordOf(lead, { at: run.now(), by, calendar })
      const show = run.typed.isSet('json')
        ? (lead: LeadDossier) => `${JSON.stringify(consentJson(lead, recordOf(lead)))}\n`
        : (lead: LeadDossier) => consentInWords(lead, recordOf(lead), calendar)
      for (const lead of given) await run.out.write(show(lead))
      if (underOtherKeys > 0) {
        await run.notes.write(
          `${counted(underOtherKeys, 'erased lead')} could not be compared: ${underOtherKeys === 1 ? 'it was' : 'they were'} erased with ` +
            `another key than ${key === null ? 'none, as on this machine' : 'the one of this machine'}.\n`,
        )
      }
      if (given.length === 0) throw new Failure('No consent was given with this contact.')
      return exitCodes.done
    })
  },
}

async function consentsOf(store: Store, contact: Contact, erased: readonly string[]): Promise<readonly LeadDossier[]> {
  const live = (await store.leadsOfPerson(contact)).map(({ id }) => id)
  // Ids sort by time.
  const dossiers: LeadDossier[] = []
  for (const id of [...live, ...erased].toSorted())
    dossiers.push(...[await store.find(id)].filter(lead => lead !== null))
  return dossiers
}

function deliveredAt({ deliveryAttempts, delivery }: LeadDossier): number | null {
  const arrived = deliveryAttempts.findLast(({ outcome }) => outcome === 'delivered')
  if (arrived) return arrived.at + arrived.durationMs
  return delivery?.state === 'delivered' ? delivery.finishedAt : null
}

const utc = (iso: string | null) => (iso === null ? null : isoTime(Date.parse(iso)))

/** The names stay as scripts know them; `record` has all the facts, and makes the hash of a saved consent record. */
function consentJson(lead: LeadDossier, record: ConsentRecord) {
  const delivered = deliveredAt(lead)
  return {
    id: record.lead.id,
    state: lead.state,
    consentedAt: utc(record.lead.receivedAt),
    page: record.lead.page,
    consentVersion: record.consent.version,
    consent: { text: record.consent.text, button: record.consent.button },
    certificate: record.certificate?.url ?? null,
    clientAddress: record.person?.clientAddress ?? null,
    deliveredAt: delivered === null ? null : isoTime(delivered),
    erasedAt: utc(record.erasedAt),
    record,
  }
}

function consentInWords(lead: LeadDossier, record: ConsentRecord, calendar: Calendar): string {
  const { certificate, consent, deliveries, erasedAt, person, questionnaire } = record
  const time = (iso: string) => calendar.inWords(Date.parse(iso))
  const delivered = deliveredAt(lead)
  const lines: readonly (readonly [string, string | null])[] = [
    ['Consent given', time(record.lead.receivedAt)],
    ['Lead', `${record.lead.id}, ${lead.state}`],
    ['Name', person && `${person.firstName} ${person.lastName}`],
    ['On page', record.lead.page],
    ['From address', person?.clientAddress ?? null],
    ['Browser', person?.userAgent ?? null],
    ['Certificate', certificate?.url ?? 'none'],
    ['Delivered', delivered === null ? 'never' : calendar.inWords(delivered)],
    ...deliveries.map(
      ({ at, outcome, status }) => ['Sent', `${time(at)}: ${outcome}${status === null ? '' : ` (${status})`}`] as const,
    ),
    ['Erased', erasedAt && time(erasedAt)],
    ['Version', consent.version],
    ['Button', consent.button],
    ['Text', consent.text],
    ...(questionnaire?.questions ?? []).map(({ question, answer }) => ['Asked', `${question} ${answer}`] as const),
  ]
  const shown = lines.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(14)}${plain(value)}\n`]))
  return `${shown.join('')}\n`
}
