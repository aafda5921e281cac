/** Tells of a file of content/ that was saved in another encoding: its quotation marks and dashes would be shown as �. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '../..')
const CONTENT = join(root, 'content/')

export function savedAsUtf8(): Plugin {
  return {
    name: 'saved-as-utf8',
    enforce: 'pre',
    load(id) {
      if (id.startsWith(CONTENT) && id.endsWith('.ts')) refuseOtherEncodings(id)
      return null
    },
  }
}

export function refuseOtherEncodings(file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n')
  const index = lines.findIndex(line => line.includes('\uFFFD'))
  if (index < 0) return
  const column = lines[index]?.indexOf('\uFFFD') ?? 0
  throw Object.assign(new Error('Expected a file that is saved as UTF-8: choose that encoding where you save it.'), {
    loc: { file, line: index + 1, column },
  })
}
