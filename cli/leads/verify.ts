/** `verify`: checks that a saved consent record is genuine and matches the store. */
import { createCalendar } from '../../server/calendar.ts'
import { plain } from '../../server/export/plain-text.ts'
import { findKey } from '../../server/installation-key.ts'
import {
  type ConsentRecord,
  compareRecords,
  consentRecordOf,
  isSignedBy,
  type Signature,
} from '../../server/record/consent-record.ts'
import { readRecordFile, recordPage } from '../../server/record/record-page.ts'
import { keyIdOf } from '../../server/store/erasure.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, CommandError, type Run } from '../command.ts'
import { readTextFile } from '../terminal/output.ts'

type SavedRecord = { readonly record: ConsentRecord; readonly signature: Signature | null }

const CLOCK_TOLERANCE_MS = 60_000

export const verify: Command = {
  summary: 'Check that a saved consent record is genuine and matches the store.',
  argument: 'FILE',
  about:
    'FILE is a consent record downloaded from the desk. Checks the hash and the signature, makes sure the page hasn’t been altered, and compares all of its data with the store: consent, questions, time, page, person, certificate, and all deliveries made before the record was created. If a person’s data was erased, it’s compared by hash. Later events, such as another delivery, are listed but don’t count as differences. The exit code is 1 if anything differs.\n' +
    'Records from 0.5.3 and earlier are unsigned, so they can’t prove who created them or when.',
  examples: ['consent-record.html'],
  async run(run) {
    const [file = ''] = run.args.positionals
    const text = readTextFile(file)
    const reading = readRecordFile(text)
    if (reading.kind === 'none') throw new CommandError(`${file} is not a consent record, or it is incomplete.`)
    if (reading.kind === 'changed') {
      throw new CommandError(
        `${file} was changed after it was created: its stated hash is ${reading.stated}, but its contents hash to ${reading.computed}.`,
      )
    }
    const store = await run.openStore('read')
    await run.out.write(`Hash: ${reading.hash}\n`)
    await run.out.write(`${await checkSignature(reading, run, store)}\n`)
    await compare(run, store, reading.record)
    if (isUnaltered(text, reading)) return
    throw new CommandError(
      `The page in ${file} was altered. Don’t rely on what it shows.\n` +
        'A browser’s “Save page” alters pages too; the desk’s “Download” button doesn’t. To see what’s in the store:\n' +
        `npm run leads -- show ${reading.record.lead.id}`,
    )
  },
}

/** Who created the record, or why that can't be proven. Throws if the record isn't genuine. */
async function checkSignature({ record, signature }: SavedRecord, run: Run, store: Store): Promise<string> {
  if (signature === null) {
    const times = (await store.installationKeys()).flatMap(({ signingSince }) => signingSince ?? [])
    // Otherwise anyone could strip the signature and change who created it.
    if (times.length > 0 && Date.parse(record.made.at) > Math.min(...times) - CLOCK_TOLERANCE_MS) {
      throw new CommandError('This record is unsigned but dated after signing began, so it isn’t genuine.')
    }
    return 'Created before records were signed, so it can’t prove who created it or when.'
  }
  const key = findKey(run.readConfig())
  if (key === null || keyIdOf(key) !== signature.keyId) {
    const has = key === null ? 'This machine has no key' : `This machine has key ${keyIdOf(key)}`
    throw new CommandError(
      `The record is signed with key ${signature.keyId}. ${has}. Verify it on a machine that has that erasure.key or ERASURE_KEY.`,
    )
  }
  if (!isSignedBy(record, signature, key))
    throw new CommandError('The signature is invalid: this record wasn’t created by this site’s desk.')
  return `Valid signature: created by ${plain(record.made.by)} at ${plain(record.made.at)} (key ${signature.keyId}).`
}

/** The data is hidden in the page, so someone could change only the visible text. */
function isUnaltered(text: string, { record, signature }: SavedRecord): boolean {
  try {
    const created = recordPage(record, signature).trim()
    // An email or a download may have changed line endings.
    return (
      text
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n')
        .trim() === created
    )
  } catch {
    // The desk can't have produced this data.
    return false
  }
}

async function compare({ now, out, readConfig }: Run, store: Store, saved: ConsentRecord): Promise<void> {
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
  const { contradictions, since } = compareRecords(saved, current, wasThatPerson)
  for (const line of since) await out.write(`Since the record was created: ${line}.\n`)
  if (contradictions.length > 0) throw new CommandError(`Doesn’t match the store: ${contradictions.join('; ')}.`)
  await out.write(`Matches the store (lead ${plain(id)}).\n`)
}
