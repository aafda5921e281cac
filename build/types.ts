/** Checks the types of the content, or of everything that the public pages are built from, and explains the first error. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from './build.ts'

const COMPILER = join(root, 'node_modules/typescript/bin/tsc')

/** The compiler's report; empty if there are no errors. */
export function reportTypeErrors(project: 'content' | 'site'): Promise<string> {
  const cache = ['--incremental', '--tsBuildInfoFile', `.cache/${project}-types.tsbuildinfo`]
  const args = [COMPILER, '--project', `tsconfig.${project}.json`, '--pretty', 'false', ...cache]
  return new Promise((resolve, reject) =>
    execFile(process.execPath, args, { cwd: root, maxBuffer: 100_000_000 }, (error, report) => {
      if (error && report === '') reject(error)
      else resolve(report)
    }),
  )
}

/** The first error as a sentence with file and line; null if there are none. Errors in content/ first, because others follow from them. */
export function firstTypeError(report: string): string | null {
  const errors = report.split(/\n(?=\S)/).flatMap(text => {
    const [, file = '', line, message = ''] = /^(\S+)\((\d+),\d+\): error TS\d+: (.*)/s.exec(text.trim()) ?? []
    return file === '' ? [] : [{ file, text: `${file}, line ${line}: ${explained(message)}` }]
  })
  const first = errors.find(({ file }) => file.startsWith('content/')) ?? errors[0]
  return first?.text ?? (report.trim() || null)
}

/** The compiler's long messages are about types; their last line says what's wrong. */
function explained(message: string): string {
  const [, unknown, meant] =
    /'(\w+)' does not exist in type.*?(?:Did you mean to write '(\w+)'\?)?$/s.exec(message) ?? []
  if (unknown) return `Unknown name '${unknown}'.${meant ? ` Did you mean '${meant}'?` : ' Is it misspelled?'}`
  const missing = /Property '(\w+)' is missing/.exec(message)?.[1]
  if (missing) return `'${missing}' is missing.`
  const [, has, needs] = /Source has (\d+) element\(s\) but target (?:requires|allows only) (\d+)/.exec(message) ?? []
  if (has)
    return `Expected ${needs} items, as in English, but found ${has}. Put null in place of an item that one language leaves out.`
  return message.split('\n').at(-1)?.trim() ?? message
}
