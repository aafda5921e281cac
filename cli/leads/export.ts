/** `export`: any number of leads as CSV or JSON lines. */
import { campaignParameters } from '../../domain/campaign.ts'
import { exportFormats, exportLines, leadFormats } from '../../server/export/lead-formats.ts'
import type { LeadFilter } from '../../server/store/lead-records.ts'
import { leadPages } from '../../server/store/leads.ts'
import type { Command, Output } from '../command.ts'
import { byOption, filterOptions, oneOf, readFilter } from '../options.ts'
import { writeFileWith } from '../terminal/output.ts'
import { pluralize } from '../terminal/text.ts'

const BATCH = 1000

export const exportLeads: Command = {
  summary: 'Export leads as CSV or JSON lines.',
  about:
    'Writes leads with all fields, oldest first, to standard output or to a file only you can read. The export is recorded and shown on the desk’s Health page.\n' +
    'CSV: the `campaign` column has all parameters; the last columns have one parameter each (the standard ones and those in CAMPAIGN_PARAMETERS). Cells that a spreadsheet would treat as a formula start with an apostrophe. JSON lines have the exact values and the webhook’s field names.',
  options: {
    format: { value: 'FORMAT', about: 'csv or jsonl (one JSON object per line). Default: csv.' },
    out: { value: 'FILE', about: 'Write to this file. It must not exist yet.' },
    ...filterOptions,
    ...byOption,
  },
  examples: ['--out leads.csv', '--format jsonl --since 2030-01-01 > leads.jsonl', '--phone "(555) 234-5678"'],
  async run(run) {
    const { args, out, notes, stderr } = run
    // Every export has the same columns, regardless of the leads in it.
    const parameters = [...new Set([...campaignParameters, ...run.readConfig().campaignParameters])]
    const name = oneOf(args, 'format', exportFormats) ?? 'csv'
    const format = leadFormats[name](run.calendar(), parameters)
    const chosen = readFilter(run)
    const file = args.text('out')
    const store = await run.openStore('write')
    // Leave out leads that arrive during the export, so the recorded count is right.
    const instant = await store.storeTime()
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
    await (file === undefined ? writeTo(out) : writeFileWith(file, writeTo))
    if (file !== undefined || stderr.isTTY) {
      await notes.write(`${pluralize(count, 'lead')} exported${file === undefined ? '' : ` to ${file}`}.\n`)
    }
  },
}

/** Leaves out contact details, because an erasure wouldn't find them here. */
function recordedFilter(filter: LeadFilter): string {
  const personal = ['email', 'phone', 'search']
  return JSON.stringify(filter, (name, value) => (personal.includes(name) ? '(hidden)' : value))
}
