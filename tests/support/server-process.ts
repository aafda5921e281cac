/** The production server as a process of its own, on a port of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { COMPILE_CACHE } from './compile-cache.ts'
import { NO_SETTINGS_FILE } from './no-settings-file.ts'

export interface ServerProcess {
  readonly child: ChildProcess
  /** What it has written so far, to both of its outputs. */
  said(): string
  /** Where it listens, as soon as it does. Fails when it ends before that. */
  readonly listening: Promise<string>
  /** The same, as soon as it takes leads, too. */
  readonly url: Promise<string>
  readonly exit: Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>
}

const project = join(import.meta.dirname, '../..')

/** Its log may go into a file instead; where it listens is then not known from it. */
export function spawnServer(
  env: Readonly<Record<string, string>>,
  logFile?: number,
  folder: string = project,
): ServerProcess {
  const child = spawn(process.execPath, [join(folder, 'server/main.ts')], {
    // Tests and measurements send more leads at once than people do.
    env: { PORT: '0', LEAD_FLOOD_LIMIT: '100000000', ...COMPILE_CACHE, ...NO_SETTINGS_FILE, ...env },
    stdio: ['ignore', logFile ?? 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  const listening = Promise.withResolvers<string>()
  const takesLeads = Promise.withResolvers<string>()
  // Whoever does not ask for the address does not care that there is none.
  for (const { promise } of [listening, takesLeads]) promise.catch(() => {})
  let heard = false
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    output += chunk
    // Looked for once only: a busy server says a great deal.
    if (heard) return
    const url = /"event":"listening","url":"([^"]+)"/.exec(output)?.[1]
    if (url === undefined) return
    listening.resolve(url)
    if (!output.includes('"event":"the store is open"')) return
    heard = true
    takesLeads.resolve(url)
  })
  child.stderr?.setEncoding('utf8').on('data', chunk => {
    errors += chunk
  })
  const exit = Promise.withResolvers<Awaited<ServerProcess['exit']>>()
  child.on('close', code => {
    for (const { reject } of [listening, takesLeads]) {
      reject(new Error(`The server ended before it listened: ${errors}`))
    }
    exit.resolve({ code, output, errors })
  })
  return {
    child,
    said: () => output + errors,
    listening: listening.promise,
    url: takesLeads.promise,
    exit: exit.promise,
  }
}
