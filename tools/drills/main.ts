/** Fault drills that take too long for the test suite: `npm run drill -- failover | upgrade | install`. */
import { printTable, verdict } from '../../bench/table.ts'
import { suites, whyNoDebian } from './debian.ts'
import { failOver } from './failover.ts'
import { installOn } from './install.ts'
import { runUpgrades } from './upgrade.ts'

const usage = `Usage: npm run drill -- failover | upgrade [STORES] | fixture SEED | install

failover   Kills a PostgreSQL primary (Debian's postgresql) under load and promotes its synchronous standby;
           then does the same with an asynchronous standby, which loses leads.
upgrade    Upgrades 50 stores made by random use of 0.7.0, on both engines, and compares who's offered before and after.
install    Installs servers on Debian 12 and 13 from a release file, breaks, kills, and upgrades them. As root; needs debootstrap.
fixture    Keeps the store of 0.7.0 with this number for upgrade.test.ts. 
`

async function drillFailover(): Promise<boolean> {
  const reports = [await failOver('synchronous'), await failOver('asynchronous')]
  const [kept, control] = reports
  printTable(
    ['standby', 'acknowledged', 'lost', '503s while down', 'other responses', 'recovery, ms'],
    reports.map(({ commits, acknowledged, lost, refused, otherResponses, recoveryMs }) => [
      commits,
      ...[acknowledged, lost, refused, otherResponses, Math.round(recoveryMs)].map(String),
    ]),
  )
  const checks = [
    ['synchronous: no acknowledged lead is lost', kept?.lost === 0],
    ['asynchronous: some are lost, so the drill can detect it', (control?.lost ?? 0) > 0],
    [
      '503s while there is no primary, and no other failures',
      reports.every(each => each.refused > 0 && each.otherResponses === 0),
    ],
    ['every replica accepts leads within 5 s of the promotion', reports.every(({ recoveryMs }) => recoveryMs < 5000)],
  ] as const
  printTable(
    ['target', ''],
    checks.map(([target, met]) => [target, verdict(met)]),
  )
  return checks.every(([, met]) => met)
}

async function drillUpgrade(stores: number): Promise<boolean> {
  const reports = await runUpgrades(Array.from({ length: stores }, (_, index) => index + 1))
  const found = reports.flatMap(report => report.differences.map(({ rule }) => rule ?? 'no rule'))
  const byRule = Object.entries(Object.groupBy(found, rule => rule)).map(([rule, all = []]) => [rule, `${all.length}`])
  printTable(['offered differently, by rule', 'times'], byRule)
  const sum = (countOf: (report: (typeof reports)[number]) => number) =>
    reports.reduce((total, report) => total + countOf(report), 0)
  const checks = [
    ['without a rule', found.filter(rule => rule === 'no rule').length],
    ['given by Call next and not listed, or the other way around', sum(({ notAsListed }) => notAsListed.length)],
    ['offered or sent although they stopped, or the CRM not told', sum(({ sentToStopped }) => sentToStopped)],
  ] as const
  printTable(
    [`numbers, of ${sum(({ offered }) => offered)} offered`, '', 'target 0'],
    checks.map(([what, numbers]) => [what, String(numbers), verdict(numbers === 0)]),
  )
  return checks.every(([, numbers]) => numbers === 0)
}

async function keepFixture(seed: number): Promise<boolean> {
  await runUpgrades([seed], 'tests/fixtures')
  return true
}

async function drillInstall(): Promise<boolean> {
  const reason = whyNoDebian()
  if (reason !== null) {
    console.error(`This machine can’t run Debian in namespaces: ${reason}.`)
    return false
  }
  let met = true
  for (const suite of ['bookworm', 'trixie'] as const) {
    const rows = await installOn(suite)
    printTable(
      [suites[suite], '', ''],
      rows.map(([what, measured, isMet]) => [what, measured, verdict(isMet)]),
    )
    met &&= rows.every(([, , isMet]) => isMet)
  }
  return met
}

const [drill = '', amount] = process.argv.slice(2)
const drills: Readonly<Record<string, () => Promise<boolean>>> = {
  failover: drillFailover,
  upgrade: () => drillUpgrade(Number(amount ?? 50)),
  install: drillInstall,
  fixture: () => keepFixture(Number(amount ?? 1)),
}
const run = Object.hasOwn(drills, drill) && /^\d+$/.test(amount ?? '0') ? drills[drill] : undefined
if (run) process.exitCode = (await run()) ? 0 : 1
else {
  process.stderr.write(usage)
  process.exitCode = 2
}
