/** Runs commands beside a server and a desk under load, after a graceful restart of the server and after a kill. SQLite only. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { progress } from '../../bench/table.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { startLoad } from '../../tests/support/lead-load.ts'
import { ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { PROGRAM_ENV, type ServerProcess, spawnDesk, spawnServer } from '../../tests/support/processes.ts'

const project = join(import.meta.dirname, '../..')
const VISITORS = 12
const PAUSE_MS = 40

/** `people` most of the time, and now and then something that reads or writes more. */
const commands = [
  ['doctor'],
  ['export', '--format', 'jsonl', '--since', '1m'],
  ['export', '--state', 'held'],
  ['backup', 'COPY'],
  ['do-not-call', '--list'],
]
const commandAt = (index: number) =>
  index % 5 === 4 ? (commands[Math.floor(index / 5) % commands.length] ?? []) : ['people']

export interface CommandsReport {
  readonly after: string
  readonly commands: number
  readonly failed: number
  readonly crashes: number
  readonly accepted: number
  readonly refused: number
  readonly alerts: readonly string[]
}

export async function runCommands(count: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'drill-'))
  const env = { DATA_DIR: dataDir, ERASURE_KEY, TRUST_PROXY: '127.0.0.1' }
  let server = spawnServer(env)
  const urls = [await server.url]
  const desk = spawnDesk(env)
  await desk.url
  const load = startLoad({ servers: () => urls, visitors: VISITORS, pauseMs: PAUSE_MS, random: Math.random })

  async function restart(signal: NodeJS.Signals): Promise<void> {
    urls.length = 0
    server.child.kill(signal)
    await server.exit
    server = spawnServer(env)
    urls.push(await server.url)
  }

  async function run(argv: readonly string[], index: number): Promise<boolean> {
    const args = argv.map(word => (word === 'COPY' ? join(dataDir, `copy-${index}-${Date.now()}`) : word))
    const child = spawn(process.execPath, [join(project, 'cli/main.ts'), ...args], {
      env: { ...PROGRAM_ENV, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      err += text
    })
    const [code] = await once(child, 'close')
    if (code !== 0) process.stderr.write(`${argv[0]}: ${err}`)
    return code === 0
  }

  const reports: CommandsReport[] = []
  try {
    for (const [after, signal] of [['a graceful restart', 'SIGTERM'] as const, ['a kill', 'SIGKILL'] as const]) {
      progress(`commands after ${after}`)
      await restart(signal)
      const [responsesBefore, deskBefore] = [load.responses.length, desk.output().length]
      let [failed, crashes] = [0, 0]
      let alerts: string[] = []
      for (let index = 0; index < count; index++) {
        if (!(await run(commandAt(index), index))) failed++
        if (!hasEnded(server)) continue
        crashes++
        alerts = [...alerts, ...alertsIn(server.output())]
        await restart('SIGKILL')
      }
      if (desk.child.exitCode !== null || desk.child.signalCode !== null) crashes++
      const responses = load.responses.slice(responsesBefore)
      const accepted = responses.filter(({ status }) => status === 202).length
      alerts = [...alerts, ...alertsIn(server.output()), ...alertsIn(desk.output().slice(deskBefore))]
      reports.push({ after, commands: count, failed, crashes, accepted, refused: responses.length - accepted, alerts })
    }
  } finally {
    await load.stop()
    for (const child of [server.child, desk.child]) child.kill('SIGTERM')
    await Promise.all([server.exit, desk.exit])
  }
  const lost = lostLeads(dataDir, load.acknowledged)
  rmSync(dataDir, { recursive: true })
  return { reports, lost, acknowledged: load.acknowledged.size }
}

const hasEnded = ({ child }: ServerProcess) => child.exitCode !== null || child.signalCode !== null

function alertsIn(output: string): string[] {
  const lines = output.split('\n').filter(line => line.includes('"level":"alert"'))
  return lines.map(line => /"code":"(\w+)"/.exec(line)?.[1] ?? line)
}

function lostLeads(dataDir: string, acknowledged: ReadonlySet<string>): number {
  const database = new DatabaseSync(storeFile(dataDir), { readOnly: true })
  const rows = database.prepare(`SELECT contact ->> 'firstName' AS name FROM leads`).all()
  database.close()
  const stored = new Set(rows.map(({ name }) => name))
  return [...acknowledged].filter(name => !stored.has(name)).length
}
