/** Our Vite plugins: small inline scripts, legal pages, and copy for browsers. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { minifySync, type Plugin, transformWithOxc } from 'vite'

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

/** Each language's scripts are built in their own environment. English is Vite's `client`. */
export const clientOf = (language: string) => (language === 'en' ? 'client' : `client_${language}`)
const languageOf = (environment: string) => {
  const [found, language = 'en'] = /^client(?:_(\w+))?$/.exec(environment) ?? []
  return found === undefined ? null : language
}

const COPY = /\/content\/(panel|contact-form)-copy\.ts$/

/**
 * Bundles one language's copy from content/ as plain strings. Otherwise, visitors would get both languages, and a question that mentions a figure would pull all figures into
 * the bundle, with their sources and our notes about them.
 */
export function inlineCopy(): Plugin {
  return {
    name: 'inline-copy',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: environment => languageOf(environment.name) !== null,
    async load(id) {
      if (!COPY.test(id)) return null
      const language = languageOf(this.environment.name) ?? ''
      const copy: Record<string, Record<string, unknown>> = await import(pathToFileURL(id).href)
      const code = Object.entries(copy).map(
        ([name, value]) => `export const ${name} = ${literal({ [language]: value[language] })}`,
      )
      return { code: code.join('\n'), moduleType: 'js', map: null }
    },
  }
}

/** A value as source code. Functions in the copy only format their arguments, so their source is enough. */
function literal(value: unknown): string {
  if (typeof value === 'function') return String(value)
  if (Array.isArray(value)) return `[${value.map(literal)}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${literal(each)}`)}}`
}
