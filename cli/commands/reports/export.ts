/** `export`: leads as CSV or JSON lines, however many there are. */
import { campaignParameters } from '../../../domain/campaign.ts'
import { exportFormats, leadFormats } from '../../../server/export/lead-formats.ts'
import type { LeadFilter } from '../../../server/store/lead-records.ts'
import { leadPages } from '../../../server/store/leads.ts'
import type { Command } from '../../command.ts'
import { exitCodes } from '../../failure.ts'
import { filterOptions, oneOf, readFilter } from '../../leads/lead-options.ts'
import { calendarOf } from '../../leads/when.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
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
    ...byOption,
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
    const name = oneOf('format', typed.text('format'), exportFormats) ?? 'csv'
    const format = leadFormats[name](calendar, parameters)
    const chosen = readFilter(typed, now(), calendar)
    const by = whoActs(typed)
    const file = typed.text('out')
    const total = await withStore(run, 'write', async store => {
      // Without leads that arrive from now on, so that the recorded count is right.
      const instant = await store.storeTime()
      const filter = { ...chosen, until: Math.min(chosen.until ?? instant, instant) }
      const expected = await store.count(filter)
      // Recorded before anything leaves, as at the desk.
      await store.recordExport({ by, format: name, filter: recordedFilter(chosen), leads: expected })
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

/** Contact details would be personal data that an erasure doesn't find here. */
function recordedFilter({ email, phone, search, campaign = [], ...filter }: LeadFilter): string {
  const hidden = { search, email, phone }
  return JSON.stringify({
    ...filter,
    ...(campaign.length > 0 && { campaign }),
    ...Object.fromEntries(Object.entries(hidden).flatMap(([name, value]) => (value ? [[name, '(hidden)']] : []))),
  })
}
