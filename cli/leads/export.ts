/** `export`: any number of leads or calls as CSV or JSON lines. */
import { campaignParameters } from '../../domain/campaigns/campaign.ts'
import { pluralize } from '../../domain/text/numbers.ts'
import { callBatches, callFormats } from '../../server/export/call-formats.ts'
import { exportFormats, forScripts } from '../../server/export/formats.ts'
import { csvFormat, jsonLinesFormat } from '../../server/export/lead-formats.ts'
import { findKey } from '../../server/settings/installation-key.ts'
import type { Store } from '../../server/store/store.ts'
import { leadPages, timeAfterLeads } from '../../server/store/views/leads.ts'
import { type Command, CommandError, type Output, type Run, UsageError } from '../command.ts'
import {
  byOption,
  type Contact,
  filterOptions,
  findLeadId,
  oneOf,
  parseLeadId,
  personOptions,
  rangeOptions,
  readContact,
  readFilter,
  readRange,
} from '../options.ts'
import { writeFileWith } from '../terminal/output.ts'

const BATCH = 500

export const exportLeads: Command = {
  summary: 'Export leads or calls as CSV or JSON lines.',
  about:
    'Writes leads, oldest first, to standard output or to a file only you can read. The export is recorded and shown on the desk’s Health page. Calls are exported without contact details, so that isn’t recorded.\n' +
    'JSON lines have everything we know about a lead, with the webhook’s field names and times in UTC: contact, consent and questions as shown, corrections, history, delivery attempts, and calls. CSV has one row per lead: the `campaign` column has all parameters; the last columns have one parameter each (the standard ones and those in CAMPAIGN_PARAMETERS). Cells that a spreadsheet would treat as a formula start with an apostrophe.\n' +
    'For complaints such as “I never agreed to be called”: --email or --phone finds all leads of that person, also those erased with this machine’s key. Use - as the value to read it from standard input, which keeps it out of your shell history.',
  options: {
    what: { value: 'WHAT', about: 'leads or calls. Calls have no contact details. Default: leads.' },
    format: { value: 'FORMAT', about: 'csv or jsonl (one JSON object per line). Default: csv.' },
    out: { value: 'FILE', about: 'Write to this file. It must not exist yet.' },
    id: { value: 'ID', about: 'Only this lead.' },
    ...personOptions,
    ...filterOptions,
    ...byOption,
  },
  examples: [
    '--out leads.csv',
    '--format jsonl --since 2030-01-01 > leads.jsonl',
    '--format jsonl --phone - < number.txt',
    '--what calls --since 7d',
  ],
  async run(run) {
    if (oneOf(run.args, 'what', ['leads', 'calls']) === 'calls') return exportCalls(run)
    const { args } = run
    // Every export has the same columns, regardless of the leads in it.
    const parameters = [...new Set([...campaignParameters, ...run.readConfig().campaignParameters])]
    const name = oneOf(args, 'format', exportFormats) ?? 'csv'
    const format = name === 'csv' ? csvFormat(forScripts(run.calendar()), parameters) : jsonLinesFormat
    const { count, recorded, batches, store } = await chosenLeads(run)
    // Record the export before writing anything, as the desk does.
    await store.recordExport({ by: run.by(), format: name, filter: JSON.stringify(recorded), leads: count })
    const writeTo = async (output: Output) => {
      await output.write(format.head)
      for await (const batch of batches) await output.write(await format.lines(store, batch))
    }
    await writeExport(run, writeTo, () => pluralize(count, 'lead'))
  },
}

const selections = ['id', 'email', 'phone']

/** By ID, by person, or by filter. `recorded` has no contact details, because an erasure wouldn't find them there. */
async function chosenLeads(run: Run) {
  const { args } = run
  const [selection, another] = [...selections, ...Object.keys(filterOptions)].filter(args.isSet)
  if (selection !== undefined && selections.includes(selection)) {
    if (another !== undefined) throw new UsageError(`Use --${selection} without --${another}.`)
    const id = selection === 'id' ? parseLeadId(args.text('id') ?? '') : null
    const person = id === null ? await readContact(run) : null
    const store = await run.openStore('write')
    const ids = person ? await idsOfPerson(run, store, person) : [await findLeadId(store, id ?? '')]
    const leads = (await store.leadsWithIds(ids)).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    return {
      store,
      count: leads.length,
      batches: [leads],
      recorded: id === null ? { [selection]: '(hidden)' } : { id },
    }
  }
  const chosen = readFilter(run)
  const store = await run.openStore('write')
  // Leave out leads that arrive during the export, so the recorded count is right.
  const instant = await timeAfterLeads(store)
  const filter = { ...chosen, until: Math.min(chosen.until ?? instant, instant) }
  const batches = leadPages(store, { filter, order: 'oldest first', limit: BATCH })
  return { store, count: await store.count(filter), batches, recorded: chosen }
}

async function idsOfPerson(run: Run, store: Store, person: Contact): Promise<readonly string[]> {
  const key = findKey(run.readConfig())
  const live = await store.leadsOfPerson(person)
  const erased = await store.erasedLeadsOf({ person, key })
  if (erased.underOtherKeys > 0) {
    const why = key === null ? 'This machine has no key.' : 'They were erased with a different key.'
    const unchecked = `${pluralize(erased.underOtherKeys, 'erased lead')} couldn’t be checked`
    await run.notes.write(`${unchecked} against this email or phone number. ${why}\n`)
  }
  const ids = [...new Set([...live.map(({ id }) => id), ...erased.ids])]
  if (ids.length === 0) throw new CommandError('No leads found with this email or phone number.')
  return ids
}

/** To a file or to standard output. `what`: what was written, asked for afterwards. */
async function writeExport(run: Run, writeTo: (output: Output) => Promise<void>, what: () => string): Promise<void> {
  const { args, out, notes, stderr } = run
  const file = args.text('out')
  await (file === undefined ? writeTo(out) : writeFileWith(file, writeTo))
  if (file !== undefined || stderr.isTTY) {
    await notes.write(`${what()} exported${file === undefined ? '' : ` to ${file}`}.\n`)
  }
}

/** Not recorded, unlike an export of leads: it has no contact details. */
async function exportCalls(run: Run): Promise<void> {
  const { args } = run
  const range = Object.keys(rangeOptions)
  const other = [...selections, ...Object.keys(filterOptions)].find(name => !range.includes(name) && args.isSet(name))
  if (other) throw new UsageError(`--${other} selects leads. With --what calls, use --since and --until.`)
  const name = oneOf(args, 'format', exportFormats) ?? 'csv'
  const format = callFormats[name](run.calendar())
  const { since = 0, until } = readRange(run)
  const store = await run.openStore('read')
  const period = { since, until: until ?? Number.MAX_SAFE_INTEGER }
  let count = 0
  const writeTo = async (output: Output) => {
    await output.write(format.head)
    for await (const calls of callBatches(store, period)) {
      await output.write(calls.map(format.line).join(''))
      count += calls.length
    }
  }
  await writeExport(run, writeTo, () => pluralize(count, 'call'))
}
