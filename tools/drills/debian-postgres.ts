/** Runs a primary and a standby with Debian's postgresql in a temporary folder, for drills that kill one of them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tests/support/free-port.ts'
import {
  installedPrograms,
  type Owner,
  ownerOfServer,
  rowsOf,
  waitUntilReady,
} from '../../tests/support/postgres-server.ts'

export interface Pair {
  /** Lists both hosts, like an operator's DATABASE_URL. */
  readonly url: string
  readonly primary: Member
  readonly standby: Member
  remove(): Promise<void>
}

export interface Member {
  readonly url: string
  kill(signal: NodeJS.Signals): Promise<void>
  /** Promotes a standby. Resolves when it accepts writes. */
  promote(): Promise<void>
}

export async function startPair(commits: 'synchronous' | 'asynchronous'): Promise<Pair> {
  const programs = installedPrograms()
  if (programs === null) throw new Error('postgresql is not installed. Run: apt-get install postgresql')
  const folder = mkdtempSync(join(tmpdir(), 'failover-'))
  const owner = ownerOfServer()
  chmodSync(folder, 0o755)
  const run = (program: string, ...flags: string[]) =>
    execFileSync(join(programs, program), flags, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

  const [primaryData, standbyData] = [join(folder, 'primary'), join(folder, 'standby')]
  for (const data of [primaryData, standbyData]) mkdirFor(owner, data)
  run('initdb', '-D', primaryData, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')
  const primary = await startMember(programs, folder, primaryData, owner)
  run('pg_basebackup', '-d', primary.url, '-D', standbyData, '-R', '-C', '-S', 'standby')
  // Must match synchronous_standby_names below.
  appendFileSync(join(standbyData, 'postgresql.auto.conf'), `cluster_name = 'standby'\n`)
  const standby = await startMember(programs, folder, standbyData, owner)
  if (commits === 'synchronous') {
    await rowsOf(primary.url, `ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (standby)'`)
    await rowsOf(primary.url, 'SELECT pg_reload_conf()')
  }
  await untilReplicating(primary.url, commits === 'synchronous' ? 'sync' : 'async')
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join()
  return {
    url: `postgres://postgres@${hosts}/postgres`,
    primary,
    standby,
    async remove() {
      await Promise.all([primary.kill('SIGKILL'), standby.kill('SIGKILL')])
      rmSync(folder, { recursive: true })
    },
  }
}

function mkdirFor({ uid, gid }: Owner, path: string): void {
  mkdirSync(path, { mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

async function startMember(
  programs: string,
  folder: string,
  data: string,
  owner: Owner,
): Promise<Member & { readonly port: number }> {
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const member: ChildProcess = spawn(join(programs, 'postgres'), ['-D', data, ...flags], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await waitUntilReady(url)
  return {
    url,
    port,
    async kill(signal) {
      if (member.exitCode !== null || member.signalCode !== null) return
      const exited = new Promise(resolve => member.once('exit', resolve))
      member.kill(signal)
      await exited
    },
    async promote() {
      await rowsOf(url, 'SELECT pg_promote(true)')
    },
  }
}

async function untilReplicating(url: string, state: 'sync' | 'async'): Promise<void> {
  const giveUpAt = performance.now() + 30_000
  for (;;) {
    const [standby] = await rowsOf(url, `SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'`)
    if (standby?.['sync_state'] === state) return
    if (performance.now() > giveUpAt) throw new Error(`The standby isn't replicating (${standby?.['sync_state']}).`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** The primary's process that sends the write-ahead log to the standby. Stopping it simulates a slow network. */
export async function walSenderOf(primary: Member): Promise<number> {
  const [row] = await rowsOf(primary.url, 'SELECT pid FROM pg_stat_replication')
  return Number(row?.['pid'])
}
