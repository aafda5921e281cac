/** `export`: leads as CSV or JSON lines, however many there are. */
import { campaignParameters } from '../../../domain/campaign.ts'
import { exportFormats, leadFormats } from '../../../server/export/lead-formats.ts'
import { leadPages } from '../../../server/store/leads.ts'
import type { Command } from '../../command.ts'
import { exitCodes } from '../../failure.ts'
import { filterOptions, oneOf, readFilter } from '../../leads/lead-options.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import type { Output } from '../../terminal/output.ts'
import { writeFileWith } from '../../terminal/output-file.ts'
import { progressBar } from '../../terminal/progress-bar.ts'
import { counted } from '../../terminal/words.ts'

const BATCH = 1000

export const exportLeads: Command = {
  summary: 'Leads as CSV or JSON lines, for a spreadsheet or another program.',
  usage: ['[OPTIONS]'],
  about:
    'Writes leads with all their fields, the oldest first, to standard output or to a file that only you can read.\n' +
    "CSV: `campaign` has all parameters of the page's address that were kept; the columns at the end have one each, the\n" +
    'usual ones and those that CAMPAIGN_PARAMETERS names. Cells that a spreadsheet would take for a formula get an\n' +
    'apostrophe in front; use JSON lines for exact values.',
  options: {
    format: { value: 'FORMAT', about: 'csv (if not said) or jsonl: one JSON object a line.' },
    out: { value: 'FILE', about: 'Write to this file, which must not exist yet.' },
    ...filterOptions,
  },
  examples: [
    '--out leads.csv',
    '--format jsonl --since 2030-01-01 > leads.jsonl',
    '--state accepted --page /advertorial',
    '--phone "(555) 010-2030"',
  ],
  mostWords: 0,
  async run(run) {
    const { typed, out, notes, stderr, now, readConfig } = run
    const calendar = calendarOf(run)
    // The same columns in every export, whatever the leads have: what else they came with is in the column `campaign`.
    const parameters = [...new Set([...campaignParameters, ...readConfig().campaignParameters])]
    const format = leadFormats[oneOf('format', typed.text('format'), exportFormats) ?? 'csv'](calendar, parameters)
    const filter = readFilter(typed, now(), calendar)
    const file = typed.text('out')
    const total = await withStore(run, 'read', async store => {
      const expected = stderr.isTTY ? await store.count(filter) : 0
      const bar = progressBar(stderr, expected, performance.now.bind(performance))
      let written = 0
      const writeTo = async (output: Output) => {
        await output.write(format.head)
        for await (const batch of leadPages(store, { filter, order: 'oldest first', limit: BATCH })) {
          await output.write(batch.map(format.line).join(''))
          written += batch.length
          bar.show(written)
        }
      }
      try {
        await (file === undefined ? writeTo(out) : writeFileWith(file, writeTo))
      } finally {
        bar.end()
      }
      return written
    })
    if (file !== undefined || stderr.isTTY) {
      await notes.write(`${counted(total, 'lead')} exported${file === undefined ? '' : ` to ${file}`}.\n`)
    }
    return exitCodes.done
  },
}
