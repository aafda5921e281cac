/** `export`: any number of leads or calls as CSV or JSON lines. */
import { campaignParameters } from '../../domain/campaign.ts'
import { callBatches, callFormats } from '../../server/export/call-formats.ts'
import { exportFormats, exportLines, leadFormats } from '../../server/export/lead-formats.ts'
import type { LeadFilter } from '../../server/store/leads/lead-records.ts'
import { leadPages, timeAfterLeads } from '../../server/store/leads/leads.ts'
import { type Command, type Output, type Run, UsageError } from '../command.ts'
import { byOption, filterOptions, oneOf, rangeOptions, readFilter, readRange } from '../options.ts'
import { writeFileWith } from '../terminal/output.ts'
import { pluralize } from '../terminal/text.ts'

const BATCH = 1000

export const exportLeads: Command = {
  summary: 'Export leads or calls as CSV or JSON lines.',
  about:
    'Writes leads with all fields, oldest first, to standard output or to a file only you can read. The export is recorded and shown on the desk’s Health page. Calls are exported without contact details, so that isn’t recorded.\n' +
    'CSV: the `campaign` column has all parameters; the last columns have one parameter each (the standard ones and those in CAMPAIGN_PARAMETERS). Cells that a spreadsheet would treat as a formula start with an apostrophe. JSON lines have the exact values and the webhook’s field names.',
  options: {
    what: { value: 'WHAT', about: 'leads or calls. Calls have no contact details. Default: leads.' },
    format: { value: 'FORMAT', about: 'csv or jsonl (one JSON object per line). Default: csv.' },
    out: { value: 'FILE', about: 'Write to this file. It must not exist yet.' },
    ...filterOptions,
    ...byOption,
  },
  examples: ['--out leads.csv', '--format jsonl --since 2030-01-01 > leads.jsonl', '--what calls --since 7d'],
  async run(run) {
    if (oneOf(run.args, 'what', ['leads', 'calls']) === 'calls') return exportCalls(run)
    const { args } = run
    // Every export has the same columns, regardless of the leads in it.
    const parameters = [...new Set([...campaignParameters, ...run.readConfig().campaignParameters])]
    const name = oneOf(args, 'format', exportFormats) ?? 'csv'
    const format = leadFormats[name](run.calendar(), parameters)
    const chosen = readFilter(run)
    const store = await run.openStore('write')
    // Leave out leads that arrive during the export, so the recorded count is right.
    const instant = await timeAfterLeads(store)
    const filter = { ...chosen, until: Math.min(chosen.until ?? instant, instant) }
    const count = await store.count(filter)
    // Record the export before writing anything, as the desk does.
    await store.recordExport({ by: run.by(), format: name, filter: recordedFilter(chosen), leads: count })
    const writeTo = async (output: Output) => {
      await output.write(format.head)
      for await (const batch of leadPages(store, { filter, order: 'oldest first', limit: BATCH })) {
        await output.write(await exportLines(format, store, batch))
      }
    }
    await writeExport(run, writeTo, () => pluralize(count, 'lead'))
  },
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
  const other = Object.keys(filterOptions).find(name => !range.includes(name) && args.isSet(name))
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

/** Leaves out contact details, because an erasure wouldn't find them here. */
function recordedFilter(filter: LeadFilter): string {
  const personal = ['email', 'phone', 'search']
  return JSON.stringify(filter, (name, value) => (personal.includes(name) ? '(hidden)' : value))
}
