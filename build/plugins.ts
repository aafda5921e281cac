/** Our Vite plugins: small inline scripts, the site's data, and copy for browsers. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minifySync, type Plugin, transformWithOxc } from 'vite'
import { placeholderOf, SITE_DATA } from '../publish/compiled.ts'
import type { SiteData } from '../site-folder/types.ts'

const root = join(import.meta.dirname, '..')
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

const DATA = join(root, 'site-folder/data.ts')

/** Gives the pages their site: the one that a publication has read, which compiled pages get when they're loaded. */
export function publishedData(): Plugin {
  return {
    name: 'published-data',
    enforce: 'pre',
    load: id =>
      id === DATA ? { code: `export const data = globalThis.${SITE_DATA}`, moduleType: 'js', map: null } : null,
  }
}

/** For `npm run dev`: the site as it is now. `read` returns it, and the files that it came from. */
export function currentData(read: () => { readonly data: SiteData; readonly files: readonly string[] }): Plugin {
  return {
    name: 'current-data',
    enforce: 'pre',
    load(id) {
      if (id !== DATA) return null
      const { data, files } = read()
      for (const file of files) this.addWatchFile(file)
      return { code: `export const data = ${JSON.stringify(data)}`, moduleType: 'js', map: null }
    },
  }
}

/** The words in the panel's script, by the export that has them: `panelCopy` is in site/copy/panel-copy.ts. */
const WORDS: Readonly<Record<string, string>> = { panel: 'panelCopy', 'contact-form': 'contactFormCopy' }

/** Keeps the words out of the panel's script. Otherwise, visitors would get every language. */
export function wordPlaceholders(): Plugin {
  return {
    name: 'word-placeholders',
    enforce: 'pre',
    applyToEnvironment: environment => environment.name === 'client',
    load(id) {
      const name = WORDS[/\/site\/copy\/([\w-]+)-copy\.ts$/.exec(id)?.[1] ?? '']
      return name ? { code: `export const ${name} = ${placeholderOf(name)}`, moduleType: 'js', map: null } : null
    },
  }
}
