/** `npm test`: what runs at the same time and after it, how long it usually takes, and what failed. */
import { spawn } from 'node:child_process'

interface Part {
  readonly name: string
  readonly command: string
}

/** Minutes on two cores. The checks take a minute alone, because they leave one of the cores idle. */
const stages: readonly { readonly parts: readonly Part[]; readonly minutes: number }[] = [
  {
    parts: [
      { name: 'Unit tests', command: 'npx vitest run' },
      { name: 'Checks (format, types, unused code)', command: 'npm run --silent check' },
    ],
    minutes: 3,
  },
  { parts: [{ name: 'Journeys in browsers', command: 'npx playwright test' }], minutes: 3 },
]

const start = performance.now()
const minutesSince = (time: number) => `${((performance.now() - time) / 60_000).toFixed(1)} min`

/** Returns whether it succeeded. Shows what it prints right away, or for what runs beside it, once it's done. */
async function run({ name, command }: Part, isBeside: boolean): Promise<boolean> {
  const partStart = performance.now()
  const [program = '', ...args] = command.split(' ')
  const child = spawn(program, args, { stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (output += text))
  const status = await new Promise(resolve => child.once('close', resolve))
  const ended = status === 0 ? 'done' : 'failed'
  console.log(`\n${output}${name}: ${ended} after ${minutesSince(partStart)}.`)
  if (status !== 0) console.error(`To run this again: ${command}`)
  return status === 0
}

for (const { parts, minutes } of stages) {
  console.log(`\n${parts.map(({ name }) => name).join(', ')}: usually takes ${minutes} min on two cores.\n`)
  const succeeded = await Promise.all(parts.map((part, index) => run(part, index > 0)))
  if (succeeded.includes(false)) process.exit(1)
}
console.log(`\nAll tests passed in ${minutesSince(start)}.`)
