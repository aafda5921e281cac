/** What was written to a file or a folder survives a power cut from here on. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

export function bringToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
