/** The summary of `list --summary`, in columns. */
import { summarizeLeads } from '../server/leads/lead-summary.ts'
import type { Run } from './command.ts'
import { exitCodes } from './failure.ts'
import { withStore } from './store.ts'
import { table } from './table.ts'

const DAYS = 14

export async function showSummary(run: Run): Promise<number> {
  const summary = await withStore(run, 'read', database => summarizeLeads(database, run.now(), DAYS))
  if (run.typed.isSet('json')) {
    await run.out.write(`${JSON.stringify(summary, null, 2)}\n`)
    return exitCodes.done
  }
  const counts = (about: string, entries: readonly (readonly [string, number])[]) =>
    table(
      [{ head: about }, { head: 'LEADS' }],
      entries.map(([name, count]) => [name, count.toLocaleString('en-US').padStart('LEADS'.length)]),
    )
  await run.out.write(
    [
      counts('STATE', Object.entries(summary.states)),
      counts('DELIVERY', Object.entries(summary.deliveries)),
      counts(
        'DAY (UTC)',
        summary.days.map(({ date, leads }) => [date, leads]),
      ),
    ].join('\n'),
  )
  return exitCodes.done
}
