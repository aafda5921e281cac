/** Whether content/ is still as it was delivered: delivered.json has the hash of every file. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const LIST = join(import.meta.dirname, 'delivered.json')

function hashes(): Record<string, string> {
  const files = globSync('content/**/*.*', { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  return Object.fromEntries(
    files.toSorted().map(file => [
      file,
      createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('hex')
        .slice(0, 16),
    ]),
  )
}

/** The files that were changed, added or removed since. */
export function editedFiles(): string[] {
  const delivered = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, string>
  const now = hashes()
  return [...new Set([...Object.keys(delivered), ...Object.keys(now)])].filter(file => delivered[file] !== now[file])
}

export function acceptAsDelivered(): void {
  writeFileSync(LIST, `${JSON.stringify(hashes(), null, 2)}\n`)
}
