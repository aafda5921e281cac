/** `erase`: a person's data goes, the proof of consent stays. */
import type { Calendar } from '../../../server/calendar.ts'
import { CONSENT_RECORD_DAYS } from '../../../server/config.ts'
import { plain } from '../../../server/export/plain-text.ts'
import { installationKey } from '../../../server/installation-key.ts'
import type { SentLead } from '../../../server/store/erasure.ts'
import type { LeadRecord } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { leadIdIn } from '../../leads/lead-ids.ts'
import { askedPersonOptions, readPerson } from '../../leads/person.ts'
import { calendarOf } from '../../leads/when.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'
import { confirm, yesOption } from '../../terminal/ask.ts'
import { counted, DAY } from '../../terminal/words.ts'

const MOST_NAMED = 20

export const erase: Command = {
  summary: 'Erase a person for good; the proof of consent stays.',
  usage: ['[OPTIONS]', '--email [ADDRESS] [OPTIONS]', '--phone [NUMBER] [OPTIONS]', '--id ID [OPTIONS]'],
  about:
    'Erases all leads of a person: name, date of birth, email, phone, IP address, browser, and campaign. What stays: the\n' +
    'id, time, page, consent text, certificate, history, and keyed hashes of email and phone, so that `consent` finds the\n' +
    'lead when the person gives their number.\n' +
    'Deliveries that were not made yet are canceled. This cannot be undone, and it reaches only this store: erase the\n' +
    'person also where leads were delivered to and in exports. The erasure is noted in ERASURE_LIST, so that a restored\n' +
    'backup does not bring the person back.\n' +
    'The Telemarketing Sales Rule (16 CFR 310.5) requires you to keep the record of a consent for five years. You are\n' +
    'asked before a younger one is erased.\n' +
    'Leave out ADDRESS and NUMBER if you can: you are asked for them, or they are read from standard input. What you type\n' +
    'on a command line stays in the history of your shell.',
  options: {
    ...askedPersonOptions,
    id: { value: 'ID', about: 'The person of this lead: the same email, phone, name, and date of birth.' },
    ...yesOption,
    'before-five-years': {
      about: 'With --yes: also leads whose record the Telemarketing Sales Rule requires you to keep.',
    },
    'new-key': { about: 'The key that was used before is lost: use another one.' },
    ...byOption,
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
    const by = whoActs(run.typed)
    const typedPerson = await readPerson(run)
    return withStore(run, 'write', async store => {
      const person = 'id' in typedPerson ? { id: await leadIdIn(store, typedPerson.id) } : typedPerson
      const found = await store.leadsOfPerson(person)
      if (found.length === 0) throw new Failure('No lead of this person is in the store.')
      const newKey = run.typed.isSet('new-key')
      const key = await installationKey(run.readConfig(), store, { newKey })
      if (!(await isMeant(run, store, found))) return exitCodes.failed
      const ids = found.map(({ id }) => id)
      const { leads, sent } = await store.erase({ ids, key, newKey, by })
      await run.notes.write(`${counted(leads, 'lead')} erased.\n${sentInWords(sent, calendarOf(run))}`)
      if (run.readConfig().databaseUrl !== null) {
        await run.notes.write('PostgreSQL overwrites the old bytes in its own time; its archives keep them longer.\n')
      }
      return exitCodes.done
    })
  },
}

/** Says whose leads these are, whose others might be meant, and what the law requires; then asks. */
async function isMeant(run: Run, store: Store, found: readonly LeadRecord[]): Promise<boolean> {
  const { typed, notes } = run
  const calendar = calendarOf(run)
  const named = !typed.isSet('yes')
  if (named) await notes.write(namesOf(found, calendar))
  const others = await leadsOfSameContact(store, found)
  if (others.length > 0) {
    const are = `${counted(others.length, 'other lead has', 'other leads have')} the same email or phone, and stay:`
    const ids = others.map(({ id }) => id)
    await notes.write(named ? `${are}\n${namesOf(others, calendar)}` : `${are} ${ids.join(', ')}\n`)
  }
  const young = found.filter(({ receivedAt }) => receivedAt > run.now() - CONSENT_RECORD_DAYS * DAY).length
  if (young > 0 && !typed.isSet('before-five-years')) {
    const law =
      'The Telemarketing Sales Rule (16 CFR 310.5) requires you to keep the record of a consent for five years. Of ' +
      `${counted(found.length, 'lead')}, ${counted(young, 'is', 'are')} younger: name and number would be gone, only hashes stay.`
    if (typed.isSet('yes')) throw new Misuse(`${law} Nothing was erased: add --before-five-years to do it.`)
    await notes.write(`${law}\n`)
  }
  return confirm(run, `Erase ${counted(found.length, 'lead')} for good?`)
}

/** A person with two email addresses wants both gone; a couple who share a number does not. */
async function leadsOfSameContact(store: Store, found: readonly LeadRecord[]): Promise<readonly LeadRecord[]> {
  const others = new Map<string, LeadRecord>()
  const emails = new Set(found.flatMap(({ email }) => email ?? []))
  const phones = new Set(found.flatMap(({ phone }) => phone ?? []))
  for (const email of emails) for (const lead of await store.leadsOfPerson({ email })) others.set(lead.id, lead)
  for (const phone of phones) for (const lead of await store.leadsOfPerson({ phone })) others.set(lead.id, lead)
  for (const { id } of found) others.delete(id)
  return [...others.values()]
}

/** What was sent must be erased by the receiver. */
function sentInWords(sent: readonly SentLead[], calendar: Calendar): string {
  if (sent.length === 0) return 'Nothing was ever sent to the webhook.\n'
  const lines = sent.slice(0, MOST_NAMED).map(({ id, deliveredAt, attempts, underWay }) => {
    const before =
      deliveredAt !== null
        ? [`delivered ${calendar.inWords(deliveredAt)}`]
        : attempts > 0
          ? [`${counted(attempts, 'attempt')} without a confirmation: it may have arrived`]
          : []
    const now = underWay ? [`being sent right now: \`show ${id.slice(0, 8)}\` tells how it ended`] : []
    return `  ${id}: ${[...before, ...now].join('; ')}\n`
  })
  const more = sent.length > MOST_NAMED ? `  and ${sent.length - MOST_NAMED} more\n` : ''
  return `Erase the person also where leads are delivered to. Already sent to the webhook:\n${lines.join('')}${more}`
}

/** Shows a wrong person before it is too late. */
function namesOf(leads: readonly LeadRecord[], calendar: Calendar): string {
  const named = leads.slice(0, MOST_NAMED).map(({ firstName, lastName, receivedAt, state, delivery }) => {
    const status = delivery
      ? delivery.state === 'delivered'
        ? 'delivered'
        : `not delivered (${delivery.state})`
      : state
    return `  ${plain(`${firstName} ${lastName}`)}, received ${calendar.inWords(receivedAt)}, ${status}\n`
  })
  const more = leads.length - named.length
  return named.join('') + (more > 0 ? `  and ${more} more\n` : '')
}
