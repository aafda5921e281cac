/** `verify`: checks that a saved contact record, or an older consent record, is genuine. */

import { plain } from '../../server/export/plain-text.ts'
import { checkRecord, type RecordCheck } from '../../server/record/check-record.ts'
import { type ConsentRecord, consentRecordOf } from '../../server/record/consent-record.ts'
import { compareWithStore, type OldRecord } from '../../server/record/old-records.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { findKey } from '../../server/settings/installation-key.ts'
import { keyIdOf } from '../../server/store/facts/leads/hashes.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, CommandError, type Run } from '../command.ts'
import { readTextFile } from '../terminal/output.ts'

const CLOCK_TOLERANCE_MS = 60_000

export const verify: Command = {
  summary: 'Check that a saved contact record is genuine.',
  argument: 'FILE',
  about:
    'FILE is a contact record downloaded from the desk, or a consent record, as it was called before 0.7.0. Its signature proves that this site created it and that nothing in it was changed since. The exit code is 1 if it isn’t genuine.\n' +
    'In records from 0.6.0, only the data was signed, not the page around it; in records from 0.5.3 and earlier, nothing was. For those, the data is printed: compare it with the page. Data that isn’t signed is compared with the store, and what can’t be checked is listed.',
  examples: ['contact-record.html'],
  async run(run) {
    const [path = ''] = run.args.positionals
    const text = readTextFile(path)
    // Lines in it would read as ours.
    const file = plain(path)
    const key = findKey(run.readConfig())
    const { kind, keyId, old } = checkRecord(text, key)
    if (kind === 'no record') throw new CommandError(`${file} is not a contact or consent record, or it is incomplete.`)
    if (kind === 'other key') throw new CommandError(otherKey(keyId ?? '', key))
    if (kind === 'altered') throw new CommandError(whyAltered(file, { keyId, old }))
    if (kind === 'unsigned' && old) await compare(run, await run.openStore('read'), old)
    const what = old ? 'Genuine data' : 'Genuine'
    if (kind === 'genuine')
      await run.out.write(`${what}: created by this site’s desk and not changed since (key ${keyId}).\n`)
    if (old) await run.out.write(`What it says, to compare with the page:\n${factsOf(old)}`)
  },
}

function whyAltered(file: string, { keyId, old }: Pick<RecordCheck, 'keyId' | 'old'>): string {
  if (old) return 'The signature is invalid: this record wasn’t created by this site’s desk.'
  if (keyId === null) return `${file} was changed after it was created.`
  return (
    `${file} was changed after it was created, or wasn’t created by this site.\n` +
    'A browser’s “Save page” changes pages too; the desk’s “Download” button doesn’t.'
  )
}

function otherKey(keyId: string, key: string | null): string {
  const has = key === null ? 'This machine has no key' : `This machine has key ${keyIdOf(key)}`
  return `The record is signed with key ${keyId}. ${has}. Verify it on a machine that has that erasure.key or ERASURE_KEY.`
}

/** For unsigned records, which anyone could have written. */
async function compare({ now, out, readConfig }: Run, store: Store, saved: OldRecord): Promise<void> {
  const signingSince = (await store.installationKeys()).flatMap(key => key.signingSince ?? [])
  // Otherwise, anyone could strip the signature and change who created it.
  if (signingSince.length > 0 && Date.parse(saved.made.at) > Math.min(...signingSince) - CLOCK_TOLERANCE_MS) {
    throw new CommandError('This record is unsigned but dated after signing began, so it isn’t genuine.')
  }
  const lead = await store.find(saved.lead.id)
  if (lead === null) throw new CommandError('This lead isn’t in the store. The record may be from a different store.')
  // Use the record's time zone, so equal times are formatted the same way.
  const calendar = createCalendar(saved.made.timeZone)
  const current = consentRecordOf(lead, { at: now(), by: saved.made.by, calendar })
  const key = findKey(readConfig())
  const { id, state } = lead
  const { person } = saved
  const wasThatPerson =
    key === null || person === null || state !== 'erased'
      ? null
      : await store.wasErasedPerson({ id, email: String(person.email), phone: String(person.phone), key })
  const { contradictions, unconfirmed, since } = compareWithStore(saved, current, wasThatPerson)
  if (contradictions.length > 0) throw new CommandError(`Doesn’t match the store: ${plain(contradictions.join('; '))}.`)
  for (const line of since) await out.write(`Since the record was created: ${line}.\n`)
  await out.write(
    `Unsigned, but matches the store (lead ${plain(id)}), except for what can’t be checked: ` +
      `${['who created it', 'when', ...unconfirmed].join(', ')}.\n`,
  )
}

function factsOf({ made, lead, person, consent, questionnaire, certificate, deliveries }: ConsentRecord): string {
  const { clientAddress, userAgent, ...contact } = person ?? {}
  const facts: readonly (readonly [string, string])[] = [
    ['Created', `${made.at} by ${made.by}`],
    ['Lead', lead.id],
    ['Agreed at', `${lead.receivedAt}, on ${lead.page}`],
    ['Person', person ? Object.values(contact).join(', ') : 'erased'],
    ...(person ? [['From', `${clientAddress}, ${userAgent}`] as const] : []),
    ...(consent.notice === undefined ? [] : [['Notice', consent.notice] as const]),
    ['Button', consent.button ?? ''],
    ['Consent', consent.text],
    ...(questionnaire?.questions ?? []).map(({ question, answer }) => ['Question', `${question} ${answer}`] as const),
    ['Certificate', certificate?.url ?? 'none'],
    ...deliveries.map(({ at, outcome, status }) => ['Sent', `${at}: ${outcome}, ${status ?? 'no response'}`] as const),
  ]
  return facts.map(([name, value]) => `  ${name.padEnd(11)} ${plain(value)}\n`).join('')
}
