/** `npm test`: the three parts, one after another. Says which one is running, how long it usually takes, and which one failed. */
import { spawnSync } from 'node:child_process'

/** Minutes on two cores. */
const parts = [
  { name: 'Checks (format, types, unused code)', command: 'npm', args: ['run', '--silent', 'check'], minutes: 1 },
  { name: 'Unit tests', command: 'npx', args: ['vitest', 'run'], minutes: 3 },
  { name: 'Journeys in browsers', command: 'npx', args: ['playwright', 'test'], minutes: 4 },
]

const minutesSince = (start: number) => ((performance.now() - start) / 60_000).toFixed(1)
const start = performance.now()

for (const [index, { name, command, args, minutes }] of parts.entries()) {
  console.log(`\nPart ${index + 1} of ${parts.length}: ${name}. Usually takes ${minutes} min on two cores.\n`)
  const partStart = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    console.error(
      `\n${name} failed after ${minutesSince(partStart)} min. To run this part again: ${command} ${args.join(' ')}`,
    )
    process.exit(status ?? 1)
  }
  console.log(`\n${name}: done in ${minutesSince(partStart)} min.`)
}
console.log(`\nAll tests passed in ${minutesSince(start)} min.`)
