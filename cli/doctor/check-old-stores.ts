/** Checks for old stores that keep people in the clear who were erased since, and removes them when asked. */
import { rmSync } from 'node:fs'
import { oldStoresIn } from '../../server/store/sqlite/files.ts'
import type { Run } from '../command.ts'
import { exitCodes } from '../failure.ts'
import { confirm } from '../terminal/ask.ts'
import { counted } from '../terminal/words.ts'
import { type Finding, findingsAbout } from './finding.ts'

const { warning } = findingsAbout('Store')

export function checkOldStores(dataDir: string): readonly Finding[] {
  return oldStoresIn(dataDir).map(file =>
    warning(
      `${file} is left over from a move, a restore, or a damaged log. People you erased since are still readable in it. When ` +
        'you no longer need it: doctor --remove-old-stores',
    ),
  )
}

export async function removeOldStores(run: Run): Promise<number> {
  const files = oldStoresIn(run.readConfig().dataDir)
  if (files.length === 0) {
    await run.notes.write('There are no old stores.\n')
    return exitCodes.done
  }
  await run.notes.write(files.map(file => `  ${file}\n`).join(''))
  if (!(await confirm(run, `Delete ${counted(files.length, 'file')} for good?`))) return exitCodes.failed
  for (const file of files) rmSync(file)
  await run.notes.write(`${counted(files.length, 'file')} deleted.\n`)
  return exitCodes.done
}
