/** Copies of the project, for tests that edit files. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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

/**
 * Copies the project to a temporary folder, or to the one with this name, which keeps its caches: at a new path, a build compiles
 * itself and checks all types again. Use each name in one file only.
 */
export function copyProject(name?: string, { withBuiltSite = false } = {}) {
  const folder = name ? join(project, '.cache/copies', name) : mkdtempSync(join(tmpdir(), 'project-'))
  mkdirSync(folder, { recursive: true })
  for (const made of ['built', 'dist', 'data']) rmSync(join(folder, made), { recursive: true, force: true })
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
    remove: () => name || rmSync(folder, { recursive: true, force: true }),
  }
}
