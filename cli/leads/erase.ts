/** `erase`: deletes a person's data and keeps the proof of consent. */

import { DAY } from '../../domain/durations.ts'
import { deliveryNames, stateNames } from '../../domain/leads/lead-states.ts'
import { pluralize } from '../../domain/text/numbers.ts'
import { plain } from '../../server/export/plain-text.ts'
import type { Calendar } from '../../server/settings/calendar.ts'
import { CONSENT_RECORD_DAYS } from '../../server/settings/config.ts'
import { installationKey } from '../../server/settings/installation-key.ts'
import { LEADS, LEADS_PIPED } from '../../server/settings/leads-command.ts'
import type { LeadRecord } from '../../server/store/facts/leads/lead-records.ts'
import { ERASED_IN_LOG, type SentLead } from '../../server/store/operations/leads/erasure.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, CommandError, type Run, UsageError } from '../command.ts'
import { byOption, CONTACT_PROMPT_HELP, findLeadId, parseLeadId, personOptions, readContact } from '../options.ts'
import { confirm, yesOption } from '../terminal/ask.ts'

const LAW = 'The Telemarketing Sales Rule (16 CFR 310.5) requires you to keep consent records for five years.'

export const erase: Command = {
  summary: 'Permanently erase a person’s data, but keep the proof of consent.',
  about:
    'Erases all of the person’s leads. Deletes the name, date of birth, email, phone, IP address, browser details, and notes. The contact record is kept, minus personal data. This can’t be undone. ' +
    'Keyed hashes of the email and phone number are kept so `export` can still find the lead if the person complains.\n' +
    'Pending deliveries are canceled. You also need to delete the person’s data from your CRM and from exported files. The erasure is logged in ERASURE_LIST, so restoring a backup doesn’t bring the data back.\n' +
    `${LAW} You’re asked to confirm before leads less than five years old are erased.\n${CONTACT_PROMPT_HELP}`,
  options: {
    ...personOptions,
    id: { value: 'ID', about: 'The person who submitted this lead (same email, phone, name, and date of birth).' },
    ...yesOption,
    'under-five-years': { about: 'With --yes: also erase leads you’re required to keep.' },
    'new-key': { about: 'Use a new key because the previous one was lost.' },
    ...byOption,
  },
  examples: ['', '--phone "(555) 234-5678"', '--id 0195f2d1 --yes --under-five-years'],
  async run(run) {
    const { args, notes } = run
    const by = run.by()
    if (args.isSet('id') && (args.isSet('email') || args.isSet('phone'))) {
      throw new UsageError('Use only one of --id, --email, and --phone.')
    }
    const person = args.isSet('id') ? { id: parseLeadId(args.text('id') ?? '') } : await readContact(run)
    const { databaseUrl, ...config } = run.readConfig()
    const newKey = args.isSet('new-key')
    const store = await run.openStore('write')
    const found = await store.leadsOfPerson('id' in person ? { id: await findLeadId(store, person.id) } : person)
    if (found.length === 0) throw new CommandError('No leads found for this person.')
    const key = await installationKey(config, store, { newKey })
    await ask(run, store, found)
    const { leads, sent, inLog } = await store.erase({ ids: found.map(({ id }) => id), key, newKey, by })
    await notes.write(`${pluralize(leads, 'lead')} erased.\n${describeSent(sent, run.calendar())}`)
    if (inLog) await notes.write(`${ERASED_IN_LOG} To check: ${LEADS} doctor\n`)
    if (databaseUrl === null) return
    await notes.write('PostgreSQL overwrites the old data later; its WAL archives and backups keep it longer.\n')
  },
}

/** Shows the leads, others with the same email or phone, and what the law requires, then asks for confirmation. */
async function ask(run: Run, store: Store, found: readonly LeadRecord[]): Promise<void> {
  const { args, notes } = run
  const calendar = run.calendar()
  const isInteractive = !args.isSet('yes')
  if (isInteractive) await notes.write(describeLeads(found, calendar))
  const others = await leadsOfSameContact(store, found)
  if (others.length > 0) {
    const kept = `${pluralize(others.length, 'other lead has', 'other leads have')} the same email or phone number and won’t be erased:`
    const names = isInteractive ? `\n${describeLeads(others, calendar)}` : ` ${others.map(({ id }) => id).join(', ')}\n`
    await notes.write(`${kept}${names}`)
  }
  const recent = found.filter(({ receivedAt }) => receivedAt > run.now() - CONSENT_RECORD_DAYS * DAY).length
  if (recent > 0 && !args.isSet('under-five-years')) {
    const law = `${LAW} ${pluralize(recent, 'of these leads is', 'of these leads are')} less than five years old.`
    if (!isInteractive) throw new UsageError(`${law} Nothing was erased. To erase them anyway, add --under-five-years.`)
    await notes.write(`${law}\n`)
  }
  await confirm(run, `Permanently erase ${pluralize(found.length, 'lead')}?`)
}

/** Other leads with the same email or phone number: the same person's, or perhaps a spouse's. */
async function leadsOfSameContact(store: Store, found: readonly LeadRecord[]): Promise<readonly LeadRecord[]> {
  const others = new Map<string, LeadRecord>()
  for (const { email, phone } of found) {
    const contacts = [...(email === null ? [] : [{ email }]), ...(phone === null ? [] : [{ phone }])]
    for (const contact of contacts) for (const lead of await store.leadsOfPerson(contact)) others.set(lead.id, lead)
  }
  for (const { id } of found) others.delete(id)
  return [...others.values()]
}

/** Lists what was already sent, because the receiver has to delete it. */
function describeSent(sent: readonly SentLead[], calendar: Calendar): string {
  if (sent.length === 0) return 'Nothing was sent to your CRM.\n'
  const lines = sent.map(({ id, deliveredAt, attempts, inFlight }) => {
    if (deliveredAt !== null) return `  ${id}: delivered ${calendar.format(deliveredAt)}\n`
    if (inFlight)
      return `  ${id}: being sent right now. To see the result: ${LEADS_PIPED} export --format jsonl --id ${id.slice(0, 8)}\n`
    if (attempts === 0) return `  ${id}: an attempt was interrupted, so it may have been sent\n`
    return `  ${id}: ${pluralize(attempts, 'unconfirmed attempt')}, so it may have been received\n`
  })
  return `Already sent, as far as we know. Delete this person’s data from your CRM, too:\n${lines.join('')}`
}

/** Names and dates, so the operator can spot the wrong person before erasing. */
function describeLeads(leads: readonly LeadRecord[], calendar: Calendar): string {
  const lines = leads.map(({ firstName, lastName, receivedAt, state, delivery }) => {
    const status = { ...deliveryNames, none: stateNames[state] }[delivery?.state ?? 'none']
    return `  ${plain(`${firstName} ${lastName}`)}, received ${calendar.format(receivedAt)}, ${status.toLowerCase()}\n`
  })
  return lines.join('')
}
