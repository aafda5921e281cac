/**
 * Sends the words of content/ to browsers as the finished texts. Left to the bundler, a question that names a figure
 * would bring along all figures, with their sources and our notes about them.
 */
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const WORDS = /\/content\/panel\/(panel|contact)-words\.ts$/

export function plainWords(): Plugin {
  return {
    name: 'plain-words',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: environment => environment.name === 'client',
    async load(id) {
      if (!WORDS.test(id)) return null
      const words: Record<string, unknown> = await import(pathToFileURL(id).href)
      const code = Object.entries(words).map(([name, value]) => `export const ${name} = ${literal(value)}`)
      return { code: code.join('\n'), moduleType: 'js', map: null }
    },
  }
}

/** As source text. A function among the words puts numbers into a text and uses nothing but what it is given. */
function literal(value: unknown): string {
  if (typeof value === 'function') return String(value)
  if (Array.isArray(value)) return `[${value.map(literal)}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${literal(each)}`)}}`
}
