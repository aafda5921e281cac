/** The recipes of docs/content.md, as edits that can be made on a copy of the project. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Recipe {
  readonly title: string
  readonly file: string
  /** The lines as they are to be found, and those that take their place. */
  readonly before: string
  readonly after: string
}

export function readRecipes(root: string): Recipe[] {
  const [, ...sections] = readFileSync(join(root, 'docs/content.md'), 'utf8').split('\n### ')
  return sections.map(section => {
    const [title = ''] = section.split('\n')
    const file = section.match(/`(content\/[\w/-]+\.ts)`/)?.[1]
    const diff = section.match(/```diff\n(.*?)\n```/s)?.[1]?.split('\n')
    if (file === undefined || diff === undefined) throw new Error(`“${title}” names no file or shows no lines.`)
    const linesWithout = (sign: '+' | '-') =>
      `\n${diff
        .filter(line => !line.startsWith(sign))
        .map(line => line.slice(1))
        .join('\n')}\n`
    return { title, file, before: linesWithout('+'), after: linesWithout('-') }
  })
}
