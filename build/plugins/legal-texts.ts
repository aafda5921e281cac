/** Gives pages and browsers what content/legal.ts read from its Markdown files, since they have no Node to read them. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { refuseOtherEncodings } from './saved-as-utf8.ts'

type LegalTexts = typeof import('../../content/legal.ts')

const root = join(import.meta.dirname, '../..')

export function legalTexts(): Plugin {
  return {
    name: 'legal-texts',
    enforce: 'pre',
    async load(id) {
      if (id !== join(root, 'content/legal.ts')) return null
      // A new address each time: Node would answer with what it read before the last edit.
      const { legalPages }: LegalTexts = await import(`${pathToFileURL(id).href}?read=${performance.now()}`)
      for (const { file, isDraft } of Object.values(legalPages)) {
        this.addWatchFile(join(root, file))
        if (!isDraft) refuseOtherEncodings(join(root, file))
      }
      return { code: `export const legalPages = ${JSON.stringify(legalPages)}`, moduleType: 'js', map: null }
    },
  }
}
