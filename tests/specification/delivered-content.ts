/**
 * Whether content/ is still as delivered: delivered.json has the hash of every file. `npm run accept-content` updates it,
 * for maintainers who changed the delivered content within the specification.
 */
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

/** Files changed, added, or removed since. */
export function editedFiles(): string[] {
  const delivered = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, string>
  const now = hashes()
  return [...new Set([...Object.keys(delivered), ...Object.keys(now)])].filter(file => delivered[file] !== now[file])
}

/** Says after the unit tests that content/ was edited, and what that means for them. */
export default function reportEdits(): () => void {
  const edited = editedFiles()
  return () => {
    if (edited.length === 0) return
    console.log(
      [
        `\ncontent/ differs from what was delivered: ${edited.join(', ')}.`,
        'That is fine. tests/specification/ guards the delivered defaults: where yours differ it says “Not as delivered”',
        'above and skips the check. Maintainers who changed the defaults themselves: npm run accept-content.\n',
      ].join('\n'),
    )
  }
}

if (import.meta.main) {
  const edited = editedFiles()
  writeFileSync(LIST, `${JSON.stringify(hashes(), null, 2)}\n`)
  console.log(edited.length === 0 ? 'content/ is as delivered.' : `Accepted as delivered: ${edited.join(', ')}`)
}
