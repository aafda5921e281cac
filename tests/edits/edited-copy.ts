/** A copy of the project on which the recipes of docs/content.md are performed. */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { copyProject } from '../support/copied-project.ts'
import { PROGRAM_ENV } from '../support/processes.ts'
import { type Recipe, readRecipes } from './recipes.ts'
import { shownBy, wrongWith } from './shown.ts'

export interface EditedCopy {
  readonly folder: string
  readonly recipes: readonly Recipe[]
  /** Makes the edit, and puts the picture there that it names. */
  perform(recipe: Recipe): Promise<void>
  build(): Promise<void>
  /** What of the edit the built pages do not show. */
  missing(recipe: Recipe): string[]
  /** The page as every current browser is sent it. */
  bytesSent(page: string): number
  remove(): void
}

export function copyToEdit(): EditedCopy {
  const { folder, edit, read, remove } = copyProject()
  return {
    folder,
    remove,
    recipes: readRecipes(folder),
    async perform({ title, file, before, after }) {
      if (read(file).split(before).length !== 2)
        throw new Error(`“${title}”: ${file} has these lines not exactly once.`)
      edit(file, before, after)
      if (title === 'Replace a picture') {
        const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a9' } })
        await photo.jpeg().toFile(join(folder, 'content/pictures/team.jpg'))
      }
    },
    async build() {
      const args = [join(folder, 'build/main.ts'), 'site', '--types-checked']
      await promisify(execFile)(process.execPath, args, { env: PROGRAM_ENV })
    },
    bytesSent: page => statSync(join(folder, `built/${page}.html.br`)).size,
    missing: ({ title }) =>
      (shownBy[title] ?? []).flatMap(shown =>
        wrongWith(read(`built/${shown.page}.html`), shown).map(wrong => `${title}: on ${shown.page}, ${wrong}`),
      ),
  }
}
