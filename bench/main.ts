/** `npm run bench`: measures size and speed, and prints the results next to their limits. */
import { execFileSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { attacks, measureAttacks } from './attacks.ts'
import { measureBytes } from './bytes.ts'
import { measureCaptures } from './captures.ts'
import { measureDesk } from './desk.ts'
import { measurePaint } from './paint.ts'

interface Measurement {
  readonly title: string
  readonly run: (attacks: readonly string[]) => void | Promise<void>
}

const measurements: Readonly<Record<string, Measurement>> = {
  bytes: { title: 'Bytes on the wire: HTML and JavaScript with Brotli, fonts as is', run: measureBytes },
  paint: {
    title: 'Largest contentful paint on a slow phone, compared with the same pages without scripts or web fonts',
    run: measurePaint,
  },
  captures: { title: 'Leads per second, on disk before the response; 32 callers', run: () => measureCaptures() },
  desk: { title: 'The desk with a million leads', run: () => measureDesk() },
  attacks: {
    title: 'Attacks behind nginx, in turns with as many ordinary page views',
    run: only => measureAttacks(only),
  },
}

const usage = `Usage: npm run bench [-- ${Object.keys(measurements).join(' | ')} [ATTACK…]]

Rebuilds if needed, measures on this machine, and prints tables. Without a name, it measures everything,
which takes about 30 minutes. The attacks are ${Object.keys(attacks).join(', ')}. A missed limit is marked MISSED; the exit code is still 0, because results
from a busy machine prove nothing.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
})
const unknown = positionals.find(name => !(name in measurements || name in attacks))
if (values.help) console.log(usage)
else if (unknown !== undefined) {
  process.stderr.write(`Unknown measurement: ${unknown}.\n\n${usage}`)
  process.exitCode = 1
} else {
  const root = join(import.meta.dirname, '..')
  execFileSync(process.execPath, [join(root, 'build/main.ts'), '--if-stale'], { cwd: root, stdio: 'inherit' })
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} at start\n`)
  for (const [name, { title, run }] of Object.entries(measurements)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    console.log(`${title}\n`)
    await run(positionals.filter(each => each in attacks))
  }
}
