/** Starts the project's programs as processes, each on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const project = join(import.meta.dirname, '../..')

/**
 * For every program that a test starts: without the developer's settings, which may name a real webhook, and with a
 * shared compile cache, which halves the time to start.
 */
export const PROGRAM_ENV = {
  SETTINGS_FILE: '/dev/null',
  NODE_COMPILE_CACHE: join(project, '.cache/compiled'),
}

export interface ServerProcess {
  readonly child: ChildProcess
  /** All output so far. */
  said(): string
  /** The URL, once it listens. Rejects if the process exits first. */
  readonly listening: Promise<string>
  /** The same, once it accepts leads. */
  readonly url: Promise<string>
  readonly exit: Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>
}

export interface ServerOptions {
  /** A file for the log. The URL is then unknown here. */
  readonly logFile?: number
  /** Another copy of the project. */
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

export function watchServer(child: ChildProcess): ServerProcess {
  let output = ''
  let errors = ''
  const listening = Promise.withResolvers<string>()
  const open = Promise.withResolvers<string>()
  // Not every test needs the URL.
  for (const { promise } of [listening, open]) promise.catch(() => {})
  let isOpen = false
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    output += chunk
    // A busy server logs a lot: don't search it forever.
    if (isOpen) return
    const url = /"code":"listening".*?"url":"([^"]+)"/.exec(output)?.[1]
    if (url === undefined) return
    listening.resolve(url)
    if (!output.includes('"code":"store_open"')) return
    isOpen = true
    open.resolve(url)
  })
  child.stderr?.setEncoding('utf8').on('data', chunk => {
    errors += chunk
  })
  const exit = Promise.withResolvers<Awaited<ServerProcess['exit']>>()
  child.on('close', code => {
    for (const { reject } of [listening, open]) reject(new Error(`The process exited before it listened: ${errors}`))
    exit.resolve({ code, output, errors })
  })
  return { child, said: () => output + errors, listening: listening.promise, url: open.promise, exit: exit.promise }
}

export interface DeskProcess {
  readonly child: ChildProcess
  /** All output so far. */
  said(): string
  /** Once it listens. Rejects if the process exits first. */
  readonly url: Promise<string>
  readonly exit: Promise<number | null>
}

/** Starts the desk like `npm run desk`. */
export function spawnDesk(env: Readonly<Record<string, string>>, folder = project): DeskProcess {
  const child = spawn(process.execPath, [join(folder, 'desk/main.ts')], {
    env: { ...PROGRAM_ENV, DESK_URL: 'http://localhost:0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { listening, exit, said } = watchServer(child)
  return { child, said, url: listening, exit: exit.then(({ code }) => code) }
}

/** One run of a replica. It delivers to its own path, so that the webhook knows the sender. */
export interface Life {
  readonly path: string
  readonly server: ServerProcess
  url: string | null
  killed: boolean
}

/** Several servers over one store, which can be killed and started again. */
export class Replicas {
  /** Every server started so far, in order. */
  readonly lives: Life[] = []
  readonly #env: Readonly<Record<string, string>>
  readonly #webhookUrl: string | undefined

  /** Without a webhook, they store leads and deliver none. */
  constructor(env: Readonly<Record<string, string>>, webhookUrl?: string) {
    this.#env = env
    this.#webhookUrl = webhookUrl
  }

  /** Resolves once it accepts leads or is killed. */
  async start({ webhookUrl = this.#webhookUrl } = {}): Promise<Life> {
    const path = `/replica-${this.lives.length + 1}`
    const server = spawnServer({
      TRUST_PROXY: '127.0.0.1',
      ...this.#env,
      ...(webhookUrl && { LEAD_WEBHOOK_URL: `${webhookUrl}${path}` }),
    })
    const life: Life = { path, server, url: null, killed: false }
    this.lives.push(life)
    try {
      life.url = await server.url
    } catch (error) {
      if (!life.killed) throw error
    }
    return life
  }

  get urls(): readonly string[] {
    return this.serving.flatMap(({ url }) => url ?? [])
  }

  get serving(): readonly Life[] {
    return this.lives.filter(({ url, killed, server }) => url !== null && !killed && server.child.exitCode === null)
  }

  async kill(life: Life): Promise<void> {
    life.killed = true
    life.server.child.kill('SIGKILL')
    await life.server.exit
  }

  /** Gracefully. */
  async stopAll(): Promise<void> {
    const running = this.lives.filter(({ killed }) => !killed)
    for (const { server } of running) server.child.kill('SIGTERM')
    await Promise.all(running.map(({ server }) => server.exit))
  }

  async killAll(): Promise<void> {
    await Promise.all(this.lives.filter(({ killed }) => !killed).map(life => this.kill(life)))
  }
}
