/** Our Vite plugins: small inline scripts, legal pages, and copy for browsers. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { minifySync, type Plugin, transformWithOxc } from 'vite'
import { placeholderOf } from '../publish/compiled.ts'

const root = join(import.meta.dirname, '..')
const CONTENT = join(root, 'content/')
const INLINE = '?inline-script'

/** Makes `import text from './x.ts?inline-script'` return the minified script, to be inlined in a page. */
export function inlineScript(): Plugin {
  return {
    name: 'inline-script',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(INLINE)) return null
      const file = id.slice(0, -INLINE.length)
      this.addWatchFile(file)
      const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, { sourcemap: false })
      // A block keeps the script's constants out of the page's global scope.
      const { code: text } = minifySync(file, `{${code.replace(/export\s*\{\s*\};?/, '')}}`, {
        module: false,
        compress: true,
        mangle: { toplevel: true },
      })
      return { code: `export default ${JSON.stringify(text.trim())}`, moduleType: 'js', map: null }
    },
  }
}

/** Replaces content/legal.ts with the text of its Markdown files, since browsers can't read files. */
export function legalTexts(): Plugin {
  return {
    name: 'legal-texts',
    enforce: 'pre',
    async load(id) {
      if (id !== join(CONTENT, 'legal.ts')) return null
      // A new URL each time; otherwise Node would return its cached copy from before the edit.
      const { legalPages }: typeof import('../content/legal.ts') = await import(
        `${pathToFileURL(id).href}?read=${performance.now()}`
      )
      for (const { file } of Object.values(legalPages).flatMap(pages => Object.values(pages)))
        this.addWatchFile(join(root, file))
      return { code: `export const legalPages = ${JSON.stringify(legalPages)}`, moduleType: 'js', map: null }
    },
  }
}

/** The words in the panel's script, by the export that has them: `panelCopy` is in content/panel-copy.ts. */
const WORDS: Readonly<Record<string, string>> = { panel: 'panelCopy', 'contact-form': 'contactFormCopy' }

/** Keeps the words out of the panel's script. Otherwise, visitors would get every language. */
export function wordPlaceholders(): Plugin {
  return {
    name: 'word-placeholders',
    enforce: 'pre',
    applyToEnvironment: environment => environment.name === 'client',
    load(id) {
      const name = WORDS[/\/content\/([\w-]+)-copy\.ts$/.exec(id)?.[1] ?? '']
      return name ? { code: `export const ${name} = ${placeholderOf(name)}`, moduleType: 'js', map: null } : null
    },
  }
}
