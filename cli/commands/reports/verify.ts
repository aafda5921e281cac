/** `verify`: whether a saved consent record is as it was made, and as the store still has it. */
import { readFileSync } from 'node:fs'
import { createCalendar } from '../../../server/calendar.ts'
import { plain } from '../../../server/export/plain-text.ts'
import { compareRecords } from '../../../server/record/compare-record.ts'
import { type ConsentRecord, consentRecordOf } from '../../../server/record/consent-record.ts'
import { readRecordFile } from '../../../server/record/record-file.ts'
import { recordPage } from '../../../server/record/record-page.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { withStore } from '../../leads/with-store.ts'

export const verify: Command = {
  summary: 'Whether a saved consent record is genuine, and agrees with the store.',
  usage: ['FILE'],
  about:
    'FILE is a consent record that was saved at the desk. Its hash is computed anew over the facts in it, the page\n' +
    'that it shows must be the one that is made of them, and each fact is compared with the store: the consent as\n' +
    'presented, the questions, time, page, person, address, certificate and every delivery. What came later, such as\n' +
    'one more delivery, is told of and contradicts nothing. Exit code 1 when anything differs.',
  options: {},
  examples: ['consent-record.html'],
  mostWords: 1,
  async run(run) {
    const [file] = run.typed.words
    if (file === undefined) throw new Misuse('Which record? Usage: npm run leads -- verify FILE')
    const text = textOf(file)
    const reading = readRecordFile(text)
    if (reading.kind === 'none') throw new Failure(`${file} is not a consent record, or not a whole one.`)
    if (reading.kind === 'changed') {
      throw new Failure(
        `${file} was changed after it was made: its hash is said to be ${reading.stated}, but its facts give ${reading.computed}.`,
      )
    }
    const { hash, record } = reading
    const isAsMade = showsItsFacts(text, record)
    const made = isAsMade ? 'The file is as it was made: its facts give' : 'The facts in the file give'
    await run.out.write(`${made} the hash ${hash}.\n`)
    const code = await withStore(run, 'read', store => compare(run, store, record))
    if (isAsMade) return code
    throw new Failure(
      `${file} is not the page that was made of these facts, and may show something else: do not rely on what it shows.\n` +
        `A browser’s own "Save page" changes pages, too; "Save it" at the desk does not. What the store has: leads consent ${record.lead.id}`,
    )
  },
}

/** The facts are out of sight: somebody may have changed what is to be read, and left them as they were. */
function showsItsFacts(text: string, record: ConsentRecord): boolean {
  const lines = (page: string) =>
    page
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n')
      .trim()
  try {
    return lines(text) === lines(recordPage(record))
  } catch {
    // Facts that no desk has written.
    return false
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Failure(`${file} cannot be read.`)
  }
}

async function compare({ now, out }: Run, store: Store, old: ConsentRecord): Promise<number> {
  const lead = await store.find(old.lead.id)
  if (lead === null) throw new Failure('The store has no such lead: it may be the record of another store.')
  // In the zone of the record, so that the same instants are written alike.
  const calendar = createCalendar(old.made.timeZone)
  const { contradictions, since } = compareRecords(old, consentRecordOf(lead, { at: now(), by: old.made.by, calendar }))
  for (const line of since) await out.write(`Since it was made: ${line}.\n`)
  if (contradictions.length > 0) {
    throw new Failure(`The store says otherwise about ${contradictions.join('; ')}.`)
  }
  await out.write(`The store says the same of lead ${plain(lead.id)}.\n`)
  return exitCodes.done
}
