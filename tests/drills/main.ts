/** Drills that anybody can run, longer than the tests have time for: `npm run drill -- replicas | failover | siege | signals | edits`. */
import { printTable, progress, verdict } from '../../bench/table.ts'
import { createDatabase, startPostgres } from '../support/postgres-server.ts'
import { stopInGroup } from '../support/stop-in-group.ts'
import { editOneByOne, WITHOUT_WORDS } from './edits.ts'
import { failOver } from './failover.ts'
import { killReplicas } from './kill-replicas.ts'
import { besiege } from './siege.ts'

const usage = `Usage: npm run drill -- replicas [SECONDS] | failover | siege [SECONDS] | signals [RUNS] | edits [NUMBER]

replicas   Three servers over one PostgreSQL under load, kill -9 of a random one every second, for a minute.
failover   A primary with a synchronous standby (Debian's postgresql) is lost under load, and the standby promoted;
           then the same with an asynchronous one, which loses leads.
siege      100 clients that pipeline, 2,000 that read slowly and 1,500 that never finish their headers, all at once, for
           30 seconds against a server with a heap of 512 MB. As root the server goes before them on the processor.
signals    npm start is told to stop as a process group, during slow downloads and a delivery, 20 times.
edits      The recipes of docs/content.md one after the other on a copy: the pages show each, unit tests stay green. With
           a number only that one, those before it made; the number after the last: all of them, with every unit test.
`

async function drillReplicas(seconds: number): Promise<boolean> {
  const server = await startPostgres()
  const { url } = await createDatabase(server.url)
  try {
    const report = await killReplicas({
      databaseUrl: url,
      seconds,
      random: Math.random,
      leases: 'end by themselves',
    })
    const none = ([what, found]: readonly [string, readonly string[]]) => [
      what,
      String(found.length),
      '0',
      verdict(found.length === 0),
    ]
    const forbidden = [
      ['acknowledged, but not stored', report.notStored],
      ['acknowledged, but not delivered', report.notDelivered],
      ['stored or delivered, but never sent', report.inventedOnes],
      ['delivered under two ids', report.underTwoIds],
      ['delivered again though nobody was killed over it', report.doublesWithoutAKill],
    ] as const
    printTable(
      ['three replicas, one killed every second', 'figure', 'bar', ''],
      [
        ['kills', String(report.kills), '', ''],
        ['leads acknowledged', String(report.acknowledged), '', ''],
        ['sends that a kill or a refusal broke off', String(report.refused), '', ''],
        ['arrivals at the webhook', String(report.arrivals), '', ''],
        ['of them again, after a kill', String(report.doubles), '', ''],
        ['the most of them after one kill', String(report.mostDoublesOfAKill), '', ''],
        ...forbidden.map(none),
      ],
    )
    return forbidden.every(([, found]) => found.length === 0)
  } finally {
    await server.remove()
  }
}

async function drillFailover(): Promise<boolean> {
  const reports = [await failOver('synchronous'), await failOver('asynchronous')]
  const [kept, control] = reports
  printTable(
    ['standby', 'acknowledged', 'lost', '503s while away', 'other answers', 'served again after, ms'],
    reports.map(({ commits, acknowledged, lost, refused, otherwise, backInMs }) => [
      commits,
      ...[acknowledged, lost, refused, otherwise, Math.round(backInMs)].map(String),
    ]),
  )
  const checks = [
    ['synchronous: nothing acknowledged is lost', kept?.lost === 0],
    ['asynchronous: something is, so the drill can tell', (control?.lost ?? 0) > 0],
    [
      '503s while there is no primary, no other failure',
      reports.every(each => each.refused > 0 && each.otherwise === 0),
    ],
    ['full service within 5 s of the promotion', reports.every(({ backInMs }) => backInMs < 5000)],
  ] as const
  printTable(
    ['bar', ''],
    checks.map(([bar, met]) => [bar, verdict(met)]),
  )
  return checks.every(([, met]) => met)
}

async function drillSiege(seconds: number): Promise<boolean> {
  const { pages, pagesFailed, leadsSent, leadsTaken, memory, serverCpuSeconds, attackers } = await besiege(seconds)
  const sorted = pages.toSorted((a, b) => a - b)
  const ms = (share: number) => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)} ms`
  const slowest = sorted.at(-1) ?? Number.POSITIVE_INFINITY
  const checks = [
    ['page, slowest', ms(1), 'under 500 ms', slowest < 500],
    ['pages that did not come', String(pagesFailed), '0', pagesFailed === 0],
    ['leads taken', `${leadsTaken} of ${leadsSent}`, 'all', leadsTaken === leadsSent],
    ['memory two minutes after', mb(memory.after), 'within 20 %', memory.after <= 1.2 * memory.before],
  ] as const
  printTable(
    ['a server under siege', 'figure', 'bar', ''],
    [
      ['pages loaded', String(pages.length), '', ''],
      ['page, median', ms(0.5), '', ''],
      ['page, p99', ms(0.99), '', ''],
      ['memory before, after a busy moment', mb(memory.before), '', ''],
      ['memory at its most', mb(memory.most), '', ''],
      ...checks.map(([what, figure, bar, met]) => [what, figure, bar, verdict(met)]),
      ['processor time of the server', `${serverCpuSeconds.toFixed(1)} s`, '', ''],
      ['processor time of the attackers', `${attackers.cpuSeconds.toFixed(1)} s`, '', ''],
      ...Object.entries(attackers.connections).map(([who, count]) => [
        `connections made, ${who}`,
        String(count),
        '',
        '',
      ]),
    ],
  )
  return checks.every(([, , , met]) => met)
}

const mb = (megabytes: number) => `${Math.round(megabytes)} MB`

async function drillSignals(runs: number): Promise<boolean> {
  const rows: string[][] = []
  for (let run = 1; run <= runs; run++) {
    const signal = run % 2 === 1 ? 'SIGTERM' : 'SIGINT'
    const { code, missingBytes, deliveries, said } = await stopInGroup(signal)
    const missing = missingBytes.reduce((total, bytes) => total + bytes)
    const delivered = JSON.stringify(deliveries) === JSON.stringify([{ state: 'delivered', attempts: 1 }])
    const met = code === 0 && missing === 0 && delivered && said.includes('"drained":true')
    progress(`run ${run} of ${runs}: ${met ? 'clean' : 'NOT clean'}`)
    rows.push([String(run), signal, String(code), String(missing), delivered ? 'yes' : 'NO', verdict(met)])
  }
  printTable(['run', 'signal', 'exit code', 'bytes missing', 'delivery recorded', ''], rows)
  return rows.every(row => row.at(-1) === verdict(true))
}

async function drillEdits(only?: number): Promise<boolean> {
  const reports = await editOneByOne({
    ...(only !== undefined && { only }),
    onReport({ edit, shownOn, testsPassed, wrong, seconds }) {
      const shown = shownOn.length === 0 ? '' : `, looked for on ${shownOn.join(', ')}`
      console.log(
        `${wrong.length === 0 ? 'passed' : 'FAILED'}: ${edit}${shown}; tests: ${testsPassed}; ${Math.round(seconds)} s`,
      )
      for (const what of wrong) console.log(`  ${what}`)
    },
  })
  console.log(`
After an edit the unit tests are run without ${WITHOUT_WORDS.join(', ')}.
With all edits made, every one of them is, but for tests/edits, which is what this does.`)
  const passed = reports.filter(({ wrong }) => wrong.length === 0)
  console.log(`\n${passed.length} of ${reports.length} passed.`)
  return reports.length > 0 && passed.length === reports.length
}

const [drill = '', amount] = process.argv.slice(2)
const drills: Readonly<Record<string, () => Promise<boolean>>> = {
  replicas: () => drillReplicas(Number(amount ?? 60)),
  failover: drillFailover,
  siege: () => drillSiege(Number(amount ?? 30)),
  signals: () => drillSignals(Number(amount ?? 20)),
  edits: () => drillEdits(amount === undefined ? undefined : Number(amount)),
}
const run = Object.hasOwn(drills, drill) && /^\d+$/.test(amount ?? '0') ? drills[drill] : undefined
if (run) process.exitCode = (await run()) ? 0 : 1
else {
  process.stderr.write(usage)
  process.exitCode = 2
}
