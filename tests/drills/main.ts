/** Drills that anybody can run, longer than the tests have time for: `npm run drill -- replicas | failover`. */
import { printTable, verdict } from '../../bench/table.ts'
import { createDatabase, startPostgres } from '../support/postgres-server.ts'
import { failOver } from './failover.ts'
import { killReplicas } from './kill-replicas.ts'

const usage = `Usage: npm run drill -- replicas [SECONDS] | failover

replicas   Three servers over one PostgreSQL under load, kill -9 of a random one every second, for a minute.
failover   A primary with a synchronous standby (Debian's postgresql) is lost under load, and the standby promoted;
           then the same with an asynchronous one, which loses leads.
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

const [drill, seconds = '60'] = process.argv.slice(2)
if (drill === 'replicas' && /^\d+$/.test(seconds)) process.exitCode = (await drillReplicas(Number(seconds))) ? 0 : 1
else if (drill === 'failover') process.exitCode = (await drillFailover()) ? 0 : 1
else {
  process.stderr.write(usage)
  process.exitCode = 2
}
