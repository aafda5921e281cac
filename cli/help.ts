/** The help for the program, a group, and a command. */
import type { FoundCommand, Option } from './command.ts'
import { groups } from './commands.ts'

const WIDTH = 100

export function helpForAll(): string {
  return `Usage: npm run leads -- [GROUP] COMMAND [OPTIONS]

${Object.keys(groups).map(groupSection).join('\n')}
Help for a group or a command:   npm run leads -- NAME --help
To redirect or pipe the output:  npm run -s leads -- …  (without -s, npm adds two lines)

Commands use the store in DATA_DIR or DATABASE_URL, even while the server is running.
You can shorten an ID to 8 or more characters, as long as it stays unique.
With --json, commands print an array of objects, with times in UTC (ISO 8601).
Exit codes: 0 success, 1 failure, 2 usage error.
`
}

export function helpForGroup(group: string): string {
  return `Usage: npm run leads -- ${group} COMMAND [OPTIONS]\n\n${groupSection(group)}`
}

function groupSection(name: string): string {
  const { about, commands } = groups[name] as (typeof groups)[string]
  return `${name}: ${about}\n${aligned(Object.entries(commands).map(([command, { summary }]) => [command, summary]))}`
}

export function helpForOne({ group, name, command }: FoundCommand): string {
  const { summary, argument = '', about, options = {}, examples = [''] } = command
  const call = (rest: string) =>
    `npm run ${/ [>|] /.test(rest) ? '-s ' : ''}leads -- ${group} ${name} ${rest}`.trimEnd()
  const described = Object.entries<Option>({ ...options, help: { about: 'Show this help.' } })
  return `Usage: ${call([argument, '[OPTIONS]'].join(' ').trim())}

${[summary, ...about.split('\n')].map(wrapped).join('\n')}

Options:
${aligned(described.map(([option, { value, about: words }]) => [`--${option} ${value ?? ''}`, words]))}
Examples:
${examples.map(example => `  ${call(example)}\n`).join('')}`
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}\n`).join('')
}

function wrapped(paragraph: string): string {
  const lines = ['']
  for (const word of paragraph.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart()
    if (line.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines.join('\n')
}
