/** A copy of the project in a temporary folder, for tests that edit files. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const project = join(import.meta.dirname, '../..')
const LEFT_OUT = /^(node_modules|built|dist|data|test-results|screenshots|\.git|\.cache|\.env)$/

export interface CopiedProject {
  readonly folder: string
  /** Throws if the text is missing. */
  edit(file: string, before: string, after: string): void
  read(file: string): string
  remove(): void
}

export function copyProject({ withBuiltSite = false } = {}): CopiedProject {
  const folder = mkdtempSync(join(tmpdir(), 'project-'))
  const filter = (source: string) => !LEFT_OUT.test(source.slice(project.length + 1))
  cpSync(project, folder, { recursive: true, filter })
  if (withBuiltSite) cpSync(join(project, 'built'), join(folder, 'built'), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return {
    folder,
    read,
    edit(file, before, after) {
      const text = read(file)
      if (!text.includes(before)) throw new Error(`${file} has no ${JSON.stringify(before)}.`)
      writeFileSync(
        join(folder, file),
        text.replace(before, () => after),
      )
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
