/** Saves contact records as signed pages, one file per phone number, in a folder of their own. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contactRecordOf, MAX_LEADS } from '../../server/record/contact-record.ts'
import { recordPage } from '../../server/record/record-page.ts'
import { installationKey } from '../../server/settings/installation-key.ts'
import { LEADS } from '../../server/settings/leads-command.ts'
import type { LeadFilter } from '../../server/store/leads/lead-records.ts'
import { leadPages } from '../../server/store/leads/leads.ts'
import { explainFileError } from '../../server/store/store-errors.ts'
import { CommandError, type Run } from '../command.ts'
import { refuseExisting, removeOnInterrupt } from '../terminal/output.ts'
import { pluralize } from '../terminal/text.ts'

const BATCH = 500

/** A record for every lead received in the period, whatever became of it. Leads with the same number are in the same record. */
export async function saveRecordsOf(
  run: Run,
  folder: string,
  period: Pick<LeadFilter, 'since' | 'until'>,
): Promise<void> {
  refuseExisting(folder)
  const store = await run.openStore('write')
  // Leave out leads that arrive during the export, so the recorded count is right.
  const instant = await store.storeTime()
  const filter = { ...period, until: Math.min(period.until ?? instant, instant) }
  const leads = await store.count(filter)
  if (leads === 0) throw new CommandError('No leads in this period.')
  const key = await installationKey(run.readConfig(), store, { signing: true })
  // Record the export before writing anything, as the desk does.
  await store.recordExport({ by: run.by(), format: 'contact records', filter: JSON.stringify(period), leads })
  const made = { at: run.now(), by: run.by(), calendar: run.calendar() }
  const recorded = new Set<string>()
  let saved = 0
  await writeFolderWith(folder, async writeRecord => {
    for await (const batch of leadPages(store, { filter, order: 'oldest first', limit: BATCH })) {
      const withSameNumber = await store.leadsWithSameNumber({ ids: batch.map(({ id }) => id), key })
      for (const { id } of batch) {
        if (recorded.has(id)) continue
        const ids = withSameNumber.get(id) ?? [id]
        // Too many for one page: each page has those that aren't on an earlier one.
        const shown = ids.length > MAX_LEADS ? ids.filter(each => !recorded.has(each)).slice(0, MAX_LEADS) : ids
        const record = await contactRecordOf(store, { ids, shown, ...made })
        await writeRecord(`contact-record-${id}.html`, recordPage(record, key))
        for (const each of shown) recorded.add(each)
        saved++
      }
      if (run.stderr.isTTY) await run.notes.write(`${recorded.size} of ${leads}…\n`)
    }
  })
  await run.notes.write(
    `${pluralize(saved, 'contact record')} saved in ${folder}, one for each phone number. To check one: ${LEADS} verify FILE\n`,
  )
}

/** Only the owner can read the folder. It gets its final name when it's complete. */
async function writeFolderWith(
  folder: string,
  work: (write: (name: string, text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const part = `${folder}.part`
  await removeOnInterrupt(part, async () => {
    try {
      await rm(part, { force: true, recursive: true })
      await mkdir(part, { recursive: true, mode: 0o700 })
      await work((name, text) => writeFile(join(part, name), text, { flag: 'wx', mode: 0o600 }))
      await rename(part, folder)
    } catch (error) {
      await rm(part, { force: true, recursive: true })
      const reason = explainFileError(error)
      throw reason === null ? error : new CommandError(`Can’t write ${folder}: ${reason}`)
    }
  })
}
