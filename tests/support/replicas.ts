/** Several servers over one PostgreSQL, each a process of its own that can be killed and started again. */
import { type ServerProcess, spawnServer } from './server-process.ts'

/** One life of a replica: it delivers to a path of its own, so that the webhook can tell who sent what. */
export interface Life {
  readonly path: string
  readonly server: ServerProcess
  url: string | null
  killed: boolean
}

export interface ReplicaSettings {
  readonly databaseUrl: string
  /** Without one, they keep leads and deliver none. */
  readonly webhookUrl?: string
}

export class Replicas {
  /** All that were ever started, in their order. */
  readonly lives: Life[] = []
  readonly #settings: ReplicaSettings

  constructor(settings: ReplicaSettings) {
    this.#settings = settings
  }

  /** Resolves when it listens. A killed one never does. */
  async start(settings: Partial<ReplicaSettings> = {}): Promise<Life> {
    const { databaseUrl, webhookUrl } = { ...this.#settings, ...settings }
    const path = `/replica-${this.lives.length + 1}`
    const server = spawnServer({
      DATABASE_URL: databaseUrl,
      TRUST_PROXY: '127.0.0.1',
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

  /** Those that listen. */
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

  /** Each finishes what it is doing. */
  async stopAll(): Promise<void> {
    const running = this.lives.filter(({ killed }) => !killed)
    for (const { server } of running) server.child.kill('SIGTERM')
    await Promise.all(running.map(({ server }) => server.exit))
  }

  async killAll(): Promise<void> {
    await Promise.all(this.lives.filter(({ killed }) => !killed).map(life => this.kill(life)))
  }
}
