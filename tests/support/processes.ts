/** Starts the project's programs as processes, each on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const project = join(import.meta.dirname, '../..')

/**
 * Environment for every process a test starts. Ignores the developer's settings, which may point to a real webhook, and shares
 * a compile cache, which halves startup time.
 */
export const PROGRAM_ENV = { SETTINGS_FILE: '/dev/null', NODE_COMPILE_CACHE: join(project, '.cache/compiled') }

export type ServerProcess = ReturnType<typeof watchServer>

export interface ServerOptions {
  /** File descriptor for stdout. With one, the URL can't be read from the log, so `url` never resolves. */
  readonly logFile?: number
  /** A copy of the project to run instead. */
  readonly folder?: string
}

export function spawnServer(
  env: Readonly<Record<string, string>>,
  { logFile, folder = project }: ServerOptions = {},
): ServerProcess {
  const child = spawn(process.execPath, [join(folder, 'server/main.ts')], {
    // Tests and benchmarks send more leads at once than people do.
    env: { PORT: '0', LEAD_FLOOD_LIMIT: '100000000', ...PROGRAM_ENV, ...env },
    stdio: ['ignore', logFile ?? 'pipe', 'pipe'],
  })
  return watchServer(child)
}

export function watchServer(child: ChildProcess) {
  let stdout = ''
  let stderr = ''
  const listening = Promise.withResolvers<string>()
  const open = Promise.withResolvers<string>()
  // Not every test awaits the URL.
  for (const { promise } of [listening, open]) promise.catch(() => {})
  let isOpen = false
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    stdout += chunk
    // A busy server logs a lot: stop searching once the URL is known.
    if (isOpen) return
    const url = /"code":"listening".*?"url":"([^"]+)"/.exec(stdout)?.[1]
    if (url === undefined) return
    listening.resolve(url)
    if (!stdout.includes('"code":"store_open"')) return
    isOpen = true
    open.resolve(url)
  })
  child.stderr?.setEncoding('utf8').on('data', chunk => {
    stderr += chunk
  })
  const exit = Promise.withResolvers<{ code: number | null; stdout: string; stderr: string }>()
  child.on('close', code => {
    for (const { reject } of [listening, open])
      reject(new Error(`The process exited before it was listening: ${stderr}`))
    exit.resolve({ code, stdout, stderr })
  })
  return {
    child,
    /** All output so far. */
    output: () => stdout + stderr,
    /** Resolves to the URL once the server is listening. Rejects if the process exits first. */
    listening: listening.promise,
    /** Like `listening`, but resolves once the server accepts leads. */
    url: open.promise,
    exit: exit.promise,
  }
}

export type DeskProcess = ReturnType<typeof spawnDesk>

/** Starts the desk the way `npm run desk` does. */
export function spawnDesk(env: Readonly<Record<string, string>>, folder = project) {
  const child = spawn(process.execPath, ['--optimize-for-size', join(folder, 'desk/main.ts')], {
    env: { ...PROGRAM_ENV, DESK_URL: 'http://localhost:0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { listening, exit, output } = watchServer(child)
  return { child, output, url: listening, exit: exit.then(({ code }) => code) }
}

/** Runs a module's source as a process. Returns what it printed and how it ended. */
export async function runModule(source: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, ...args], {
    env: PROGRAM_ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { out, code: code as number | null, signal: signal as NodeJS.Signals | null }
}

/** One run of a replica. It delivers to its own path, so the webhook can tell which replica sent a lead. */
export interface ReplicaRun {
  readonly path: string
  readonly server: ServerProcess
  url: string | null
  killed: boolean
}

/** Multiple servers that share a store. Tests can kill and restart them. */
export class Replicas {
  /** Every server started so far, in order. */
  readonly runs: ReplicaRun[] = []
  readonly #env: Readonly<Record<string, string>>
  readonly #webhookUrl: string | undefined

  /** Without a webhook, the servers store leads but don't deliver them. */
  constructor(env: Readonly<Record<string, string>>, webhookUrl?: string) {
    this.#env = env
    this.#webhookUrl = webhookUrl
  }

  /** Resolves once the server accepts leads or is killed. */
  async start(): Promise<ReplicaRun> {
    const path = `/replica-${this.runs.length + 1}`
    const server = spawnServer({
      TRUST_PROXY: '127.0.0.1',
      ...this.#env,
      ...(this.#webhookUrl && { LEAD_WEBHOOK_URL: `${this.#webhookUrl}${path}` }),
    })
    const run: ReplicaRun = { path, server, url: null, killed: false }
    this.runs.push(run)
    try {
      run.url = await server.url
    } catch (error) {
      if (!run.killed) throw error
    }
    return run
  }

  get urls(): readonly string[] {
    return this.serving.flatMap(({ url }) => url ?? [])
  }

  get serving(): readonly ReplicaRun[] {
    return this.runs.filter(({ url, killed, server }) => url !== null && !killed && server.child.exitCode === null)
  }

  async kill(run: ReplicaRun): Promise<void> {
    run.killed = true
    run.server.child.kill('SIGKILL')
    await run.server.exit
  }

  /** Stops every running server gracefully. */
  async stopAll(): Promise<void> {
    const running = this.runs.filter(({ killed }) => !killed)
    for (const { server } of running) server.child.kill('SIGTERM')
    await Promise.all(running.map(({ server }) => server.exit))
  }

  async killAll(): Promise<void> {
    await Promise.all(this.runs.filter(({ killed }) => !killed).map(run => this.kill(run)))
  }
}
