/** Where the embedded store lies inside its folder. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

export function storeFile(dataDir: string): string {
  return join(dataDir, 'leads.sqlite')
}

/** Nothing was ever stored there. */
export function isNewStore(file: string): boolean {
  return !existsSync(file) || statSync(file).size === 0
}
