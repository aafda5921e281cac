/** Copies of the project, for tests that edit files. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const project = join(import.meta.dirname, '../..')
const EXCLUDED = /^(node_modules|built|dist|data|test-results|screenshots|\.git|\.cache|\.env)$/

export type CopiedProject = ReturnType<typeof copyProject>

/** Replaces an older copy in the folder, except for its built site. */
export function copyProjectTo(folder: string): void {
  for (const name of readdirSync(project).filter(name => !EXCLUDED.test(name))) {
    rmSync(join(folder, name), { recursive: true, force: true })
    cpSync(join(project, name), join(folder, name), { recursive: true })
  }
  if (!existsSync(join(folder, 'node_modules')))
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
}

/** Copies the project to a temporary folder. */
export function copyProject({ withBuiltSite = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'project-'))
  copyProjectTo(folder)
  if (withBuiltSite) cpSync(join(project, 'built'), join(folder, 'built'), { recursive: true })
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return {
    folder,
    read,
    /** Throws if the text is missing. */
    edit(file: string, before: string | RegExp, after: string) {
      const text = read(file)
      if (text.replace(before, '') === text) throw new Error(`${file} has no ${before}.`)
      writeFileSync(
        join(folder, file),
        text.replace(before, () => after),
      )
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
