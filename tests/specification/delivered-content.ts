/**
 * Detects edits to the delivered content: delivered.json has a hash of every file. Maintainers who change the delivered
 * content, within the specification, update the hashes with `npm run accept-content`.
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

/** Files changed, added, or removed since delivery. */
export function editedFiles(): string[] {
  const delivered = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, string>
  const now = hashes()
  return [...new Set([...Object.keys(delivered), ...Object.keys(now)])].filter(file => delivered[file] !== now[file])
}

/** Whether the checks of the delivered content may fail. */
export const mayDiffer = () => process.env['SPECIFICATION'] !== 'strict' && editedFiles().length > 0

/** After the unit tests, reports any edits to content/ and what they mean for the tests. */
export default function reportEdits(): () => void {
  const edited = editedFiles()
  return () => {
    if (edited.length === 0) return
    console.log(
      [
        `\ncontent/ differs from what was delivered: ${edited.join(', ')}.`,
        'That’s fine. tests/specification/ checks the delivered defaults. Where your content differs, the check is skipped',
        'and logged above as “Not as delivered”. If you maintain the defaults, run npm run accept-content.\n',
      ].join('\n'),
    )
  }
}

if (import.meta.main) {
  const edited = editedFiles()
  writeFileSync(LIST, `${JSON.stringify(hashes(), null, 2)}\n`)
  console.log(edited.length === 0 ? 'content/ is as delivered.' : `Accepted as delivered: ${edited.join(', ')}`)
}
