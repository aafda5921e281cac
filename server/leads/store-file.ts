/** Where the embedded store lies inside its folder. */
import { join } from 'node:path'

export function storeFile(dataDir: string): string {
  return join(dataDir, 'leads.sqlite')
}
