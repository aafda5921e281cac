/** Makes the folder of the embedded store where it is missing. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseUnusable } from './database.ts'

/** Folder by folder: Node's own `recursive` tries for ever where a folder exists that takes no new ones, such as /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new DatabaseUnusable(
      `The store’s folder ${folder} is a link that leads nowhere. Mount what it leads to, or set DATA_DIR to another folder.`,
    )
  }
  makeFolder(dirname(folder))
  try {
    // What is in the store is nobody else's business on this machine.
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another server that starts made it in the meantime.
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    throw new DatabaseUnusable(
      `The store’s folder ${folder} cannot be made. Set DATA_DIR to a folder on a local disk.`,
      {
        cause: error,
      },
    )
  }
}
