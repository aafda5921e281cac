/** The desk as a process of its own, as `npm run desk` starts it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { COMPILE_CACHE } from './compile-cache.ts'
import { NO_SETTINGS_FILE } from './no-settings-file.ts'

export interface DeskProcess {
  readonly child: ChildProcess
  /** What it has written so far, to both of its outputs. */
  said(): string
  /** As soon as it answers. Fails when it ends before that. */
  readonly url: Promise<string>
  readonly exit: Promise<number | null>
}

const project = join(import.meta.dirname, '../..')

export function spawnDesk(env: Readonly<Record<string, string>>, folder = project): DeskProcess {
  const child = spawn(process.execPath, [join(folder, 'desk/main.ts')], {
    env: { ...COMPILE_CACHE, ...NO_SETTINGS_FILE, DESK_URL: 'http://localhost:0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let isListening = false
  const listening = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<number | null>()
  // Whoever does not ask for the address does not care that there is none.
  listening.promise.catch(() => {})
  const hear = (chunk: string) => {
    text += chunk
    if (isListening) return
    const url = /"code":"listening".*?"url":"([^"]+)"/.exec(text)?.[1]
    if (url === undefined) return
    isListening = true
    listening.resolve(url)
  }
  child.stdout?.setEncoding('utf8').on('data', hear)
  child.stderr?.setEncoding('utf8').on('data', hear)
  child.on('close', code => {
    listening.reject(new Error(`The desk ended before it listened: ${text}`))
    ended.resolve(code)
  })
  return { child, said: () => text, url: listening.promise, exit: ended.promise }
}
