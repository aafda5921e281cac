/** Saves consent records as signed pages, one file per lead, in a folder of their own. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installationKey } from '../../server/installation-key.ts'
import { consentRecordOf } from '../../server/record/consent-record.ts'
import { recordPage } from '../../server/record/record-page.ts'
import type { LeadFilter } from '../../server/store/lead-records.ts'
import { leadPages } from '../../server/store/leads.ts'
import type { Store } from '../../server/store/store.ts'
import { explainFileError } from '../../server/store/store-errors.ts'
import { CommandError, type Run } from '../command.ts'
import { refuseExisting, removeOnInterrupt } from '../terminal/output.ts'
import { pluralize } from '../terminal/text.ts'

const BATCH = 500

/** Every lead received in the period, whatever became of it. */
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
  await store.recordExport({ by: run.by(), format: 'consent records', filter: JSON.stringify(period), leads })
  let saved = 0
  await writeFolderWith(folder, async writeRecord => {
    for await (const batch of leadPages(store, { filter, order: 'oldest first', limit: BATCH })) {
      for (const { id } of batch) {
        const page = await pageOf(run, store, id, key)
        if (page === null) continue
        await writeRecord(`consent-record-${id}.html`, page)
        saved++
      }
      if (run.stderr.isTTY) await run.notes.write(`${saved} of ${leads}…\n`)
    }
  })
  await run.notes.write(
    `${pluralize(saved, 'consent record')} saved in ${folder}. To check one: npm run leads -- verify FILE\n`,
  )
}

/** Null if the lead is gone. */
async function pageOf(run: Run, store: Store, id: string, key: string): Promise<string | null> {
  const lead = await store.find(id)
  return lead && recordPage(consentRecordOf(lead, { at: run.now(), by: run.by(), calendar: run.calendar() }), key)
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
