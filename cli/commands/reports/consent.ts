/** `consent`: what there is to show when somebody says that they were called without consent. */
import type { Calendar } from '../../../server/calendar.ts'
import { isoTime } from '../../../server/export/lead-json.ts'
import { plain } from '../../../server/export/plain-text.ts'
import type { LeadDossier } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { askedPersonOptions, type Contact, readContact } from '../../leads/person.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { counted } from '../../terminal/words.ts'

export const consent: Command = {
  summary: 'Which consents were given with an e-mail address or phone number, also by people who are erased.',
  usage: ['[--json]', '--phone [NUMBER] [--json]', '--email [ADDRESS] [--json]'],
  about:
    'For “you called me without consent”: the person gives their number, and every consent that was given with it is\n' +
    'shown: when, on which page, the text and button as they were presented, the certificate, and when the lead was\n' +
    'delivered. Erased leads are found by the hash that stays of them, which needs the ERASURE_KEY that they were erased\n' +
    'with.\n' +
    'Best without NUMBER and ADDRESS: you are asked for them then, or they are read from standard input.',
  options: { ...askedPersonOptions, json: { about: 'As JSON, an object a line.' } },
  examples: ['', '--phone', '--phone --json < number.txt'],
  mostWords: 0,
  async run(run) {
    const contact = await readContact(run)
    const { erasureKey } = run.readConfig()
    return withStore(run, 'read', async store => {
      const { ids, underOtherKeys } = await store.erasedLeadsOf({ person: contact, key: erasureKey })
      const given = await consentsOf(store, contact, ids)
      const show = run.typed.isSet('json')
        ? (lead: LeadDossier) => `${JSON.stringify(consentJson(lead))}\n`
        : (lead: LeadDossier) => consentInWords(lead, calendarOf(run))
      for (const lead of given) await run.out.write(show(lead))
      if (underOtherKeys > 0) {
        await run.notes.write(
          `${counted(underOtherKeys, 'erased lead')} could not be compared: ${underOtherKeys === 1 ? 'it was' : 'they were'} erased with another ERASURE_KEY than ${erasureKey === null ? 'none, which is set now' : 'the one that is set'}.\n`,
        )
      }
      if (given.length === 0) throw new Failure('No consent was given with it.')
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

function erasedAt({ history }: LeadDossier): number | null {
  return history.find(({ event }) => event === 'erased')?.at ?? null
}

function presented({ consentPresented }: LeadDossier): { readonly text: unknown; readonly button: string } {
  return JSON.parse(consentPresented) as { readonly text: unknown; readonly button: string }
}

function consentJson(lead: LeadDossier) {
  const time = (at: number | null) => (at === null ? null : isoTime(at))
  return {
    id: lead.id,
    state: lead.state,
    consentedAt: isoTime(lead.receivedAt),
    page: lead.page,
    consentVersion: lead.consentVersion,
    consent: presented(lead),
    certificate: lead.certificate?.url ?? null,
    clientAddress: lead.clientAddress,
    deliveredAt: time(deliveredAt(lead)),
    erasedAt: time(erasedAt(lead)),
  }
}

function consentInWords(lead: LeadDossier, calendar: Calendar): string {
  const { text, button } = presented(lead)
  const delivered = deliveredAt(lead)
  const erased = erasedAt(lead)
  const lines: readonly (readonly [string, string | null])[] = [
    ['Consent given', calendar.inWords(lead.receivedAt)],
    ['Lead', `${lead.id}, ${lead.state}`],
    ['Name', lead.firstName === null ? null : `${lead.firstName} ${lead.lastName}`],
    ['On page', lead.page],
    ['From address', lead.clientAddress],
    ['Certificate', lead.certificate?.url ?? 'none'],
    ['Delivered', delivered === null ? 'never' : calendar.inWords(delivered)],
    ['Erased', erased === null ? null : calendar.inWords(erased)],
    ['Version', lead.consentVersion],
    ['Button', button],
    ['Text', String(text)],
  ]
  const shown = lines.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(14)}${plain(value)}\n`]))
  return `${shown.join('')}\n`
}
