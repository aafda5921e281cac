/** `erase`: a person's data goes, the proof of consent stays. */
import type { Calendar } from '../../../server/calendar.ts'
import { CONSENT_RECORD_DAYS } from '../../../server/config.ts'
import { plain } from '../../../server/export/plain-text.ts'
import { noteErasures } from '../../../server/store/erasure/erasure-list.ts'
import type { Erasure, SentLead } from '../../../server/store/erasure/erasure-records.ts'
import type { LeadRecord } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { leadIdIn } from '../../leads/lead-ids.ts'
import { askedPersonOptions, erasureKeyOf, readPerson } from '../../leads/person.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { confirm, yesOption } from '../../terminal/ask.ts'
import { counted, DAY } from '../../terminal/words.ts'

const MOST_NAMED = 20

export const erase: Command = {
  summary: 'A person’s data goes for good; the minimal proof of consent stays.',
  usage: ['[OPTIONS]', '--email [ADDRESS] [OPTIONS]', '--phone [NUMBER] [OPTIONS]', '--id ID [OPTIONS]'],
  about:
    'Erases all leads of a person: names, date of birth, e-mail, phone, address, browser and campaign. What stays: the\n' +
    'id, when and from which page, which consent text was agreed to, the certificate, the history, and hashes of e-mail\n' +
    'and phone by which `consent` finds it when the person gives their number. They are made with ERASURE_KEY, and tell\n' +
    'nothing without it.\n' +
    'A delivery that was not made yet is cancelled. This cannot be taken back, and it reaches only this store: erase the\n' +
    'person also where leads were delivered to and in exports. Erasures are noted in ERASURE_LIST, so that a restored\n' +
    'backup does not bring the person back.\n' +
    'The Telemarketing Sales Rule (16 CFR 310.5) asks to keep the record of a consent for five years: before that you are\n' +
    'told so, and asked.\n' +
    'Best without ADDRESS and NUMBER: you are asked for them then, or they are read from standard input. What is typed\n' +
    'into a command line stays in the history of your shell.',
  options: {
    ...askedPersonOptions,
    id: { value: 'ID', about: 'The person of this lead: the same e-mail, phone, name and date of birth.' },
    ...yesOption,
    'before-five-years': { about: 'With --yes: also leads whose record the Telemarketing Sales Rule asks to keep.' },
    'new-key': { about: 'ERASURE_KEY differs from the one used until now, which is lost.' },
  },
  examples: [
    '',
    '--email',
    '--phone "(555) 010-2030"',
    '--id 0195f2d1 --yes --before-five-years',
    '--email --yes < address.txt',
  ],
  mostWords: 0,
  async run(run) {
    const typedPerson = await readPerson(run)
    return withStore(run, 'write', async store => {
      const person = 'id' in typedPerson ? { id: await leadIdIn(store, typedPerson.id) } : typedPerson
      const found = await store.leadsOfPerson(person)
      if (found.length > 0 && !(await isMeant(run, store, found))) return exitCodes.failed
      const ids = found.map(({ id }) => id)
      // Also with none left: an erasure that was cut short may have left bytes in the log.
      const key = found.length > 0 ? erasureKeyOf(run) : ''
      noteErasures(run.readConfig().erasureList, ids, run.now())
      return report(run, await store.erase({ ids, key, newKey: run.typed.isSet('new-key') }))
    })
  },
}

/** Says whom it is about, who else it might be about, and what the law asks for; then asks. */
async function isMeant(run: Run, store: Store, found: readonly LeadRecord[]): Promise<boolean> {
  const { typed, notes } = run
  erasureKeyOf(run)
  const calendar = calendarOf(run)
  const named = !typed.isSet('yes')
  if (named) await notes.write(namesOf(found, calendar))
  const others = await leadsOfSameContact(store, found)
  if (others.length > 0) {
    const are = `${counted(others.length, 'other lead has', 'other leads have')} the same e-mail or phone, and stay:`
    const ids = others.map(({ id }) => id)
    await notes.write(named ? `${are}\n${namesOf(others, calendar)}` : `${are} ${ids.join(', ')}\n`)
  }
  const young = found.filter(({ receivedAt }) => receivedAt > run.now() - CONSENT_RECORD_DAYS * DAY).length
  if (young > 0 && !typed.isSet('before-five-years')) {
    const law =
      'The Telemarketing Sales Rule (16 CFR 310.5) asks to keep the record of a consent for five years. Of ' +
      `${counted(found.length, 'lead')}, ${counted(young, 'is', 'are')} younger; name and number would be gone, the hashed record stays.`
    if (typed.isSet('yes')) throw new Misuse(`${law} Nothing was erased: add --before-five-years to do it.`)
    await notes.write(`${law}\n`)
  }
  return confirm(run, `Erase ${counted(found.length, 'lead')} for good?`)
}

/** A person who sent two addresses from one number wants both gone; a couple who share a number does not. */
async function leadsOfSameContact(store: Store, found: readonly LeadRecord[]): Promise<readonly LeadRecord[]> {
  const others = new Map<string, LeadRecord>()
  const emails = new Set(found.flatMap(({ email }) => email ?? []))
  const phones = new Set(found.flatMap(({ phone }) => phone ?? []))
  for (const email of emails) for (const lead of await store.leadsOfPerson({ email })) others.set(lead.id, lead)
  for (const phone of phones) for (const lead of await store.leadsOfPerson({ phone })) others.set(lead.id, lead)
  for (const { id } of found) others.delete(id)
  return [...others.values()]
}

async function report(run: Run, { leads, sent, traces }: Erasure): Promise<number> {
  const { notes } = run
  if (leads > 0) await notes.write(`${counted(leads, 'lead')} erased.\n${sentInWords(sent, calendarOf(run))}`)
  if (traces === 'until readers end') {
    throw new Failure(
      'Another program is reading the store: old bytes may stay in its files. Run this command again when it has ended.',
    )
  }
  if (leads === 0) throw new Failure('No lead of this person is in the store.')
  if (traces === 'until the next start') {
    await notes.write(
      'A copy of the campaign, and of nothing else, stays in the store’s files until the server starts next.\n',
    )
  }
  if (traces === 'until the server reuses the space') {
    await notes.write('PostgreSQL writes over the old bytes in its own time; its archives keep them longer.\n')
  }
  return exitCodes.done
}

/** What has left the house must be erased by others. */
function sentInWords(sent: readonly SentLead[], calendar: Calendar): string {
  if (sent.length === 0) return 'Nothing of it was ever sent to the webhook.\n'
  const lines = sent.slice(0, MOST_NAMED).map(({ id, deliveredAt, attempts, underWay }) => {
    const before =
      deliveredAt !== null
        ? [`delivered ${calendar.inWords(deliveredAt)}`]
        : attempts > 0
          ? [`${counted(attempts, 'attempt')} without a confirmation: it may have arrived`]
          : []
    const now = underWay ? [`under way at this moment: \`show ${id.slice(0, 8)}\` will tell how it ended`] : []
    return `  ${id}: ${[...before, ...now].join('; ')}\n`
  })
  const more = sent.length > MOST_NAMED ? `  and ${sent.length - MOST_NAMED} more\n` : ''
  return `Erase the person also where leads are delivered to. Left already for the webhook:\n${lines.join('')}${more}`
}

/** So that a slip is seen before it is too late. */
function namesOf(leads: readonly LeadRecord[], calendar: Calendar): string {
  const named = leads.slice(0, MOST_NAMED).map(({ firstName, lastName, receivedAt, state, delivery }) => {
    const standing = delivery
      ? delivery.state === 'delivered'
        ? 'delivered'
        : `not delivered (${delivery.state})`
      : state
    return `  ${plain(`${firstName} ${lastName}`)}, received ${calendar.inWords(receivedAt)}, ${standing}\n`
  })
  const more = leads.length - named.length
  return named.join('') + (more > 0 ? `  and ${more} more\n` : '')
}
