/** The help: of the program, a group, and a command. */
import type { Options } from './command.ts'
import { type FoundCommand, groups } from './commands.ts'

const WIDTH = 100

export const helpOption: Options = { help: { about: 'Show this help.' } }

export async function helpForAll(): Promise<string> {
  const sections = await Promise.all(Object.keys(groups).map(groupSection))
  return `Usage: npm run leads -- [GROUP] COMMAND [OPTIONS]

${sections.join('\n\n')}

Help for a group or a command:   npm run leads -- NAME --help
To redirect or pipe the output:  npm run -s leads -- …  (without -s, npm adds two lines)

Commands use the store in DATA_DIR or DATABASE_URL, even while the server is running.
You can shorten an ID to 8 or more characters, as long as it stays unique.
With --json, commands print an array of objects, with times in UTC (ISO 8601).
Exit codes: 0 success, 1 failure, 2 usage error.
`
}

export async function helpForGroup(group: string): Promise<string> {
  return `Usage: npm run leads -- ${group} COMMAND [OPTIONS]\n\n${await groupSection(group)}\n`
}

async function groupSection(name: string): Promise<string> {
  const { about, commands } = groups[name] as (typeof groups)[string]
  const summaries = await Promise.all(
    Object.entries(commands).map(async ([command, load]) => [command, (await load()).summary] as const),
  )
  return `${name}: ${about}\n${aligned(summaries)}`
}

export function helpForOne({ group, name, command }: FoundCommand): string {
  const { summary, usage = [''], about, options, examples = usage } = command
  const call = (rest: string) =>
    `  npm run ${/ [>|] /.test(rest) ? '-s ' : ''}leads -- ${group} ${name} ${rest}`.trimEnd()
  const described = Object.entries({ ...options, ...helpOption }).map(
    ([option, { value, about: words }]) => [`--${option}${value ? ` ${value}` : ''}`, words] as const,
  )
  return `Usage:
${usage.map(call).join('\n')}

${[summary, ...about.split('\n')].map(wrapped).join('\n')}

Options:
${aligned(described)}

Examples:
${examples.map(call).join('\n')}
`
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
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
