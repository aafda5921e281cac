/** Turns `import text from './x.ts?inline-script'` into the text of a small script that can stand inside a page. */
import { readFile } from 'node:fs/promises'
import { minifySync, type Plugin, transformWithOxc } from 'vite'

const SUFFIX = '?inline-script'

export function inlineScript(): Plugin {
  return {
    name: 'inline-script',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(SUFFIX)) return null
      const file = id.slice(0, -SUFFIX.length)
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
