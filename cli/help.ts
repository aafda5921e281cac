/** The help texts: for the program, a group, and a command. */
import type { Command, Options } from './command.ts'
import { type FoundCommand, groups } from './commands.ts'

export const helpOption: Options = { help: { about: 'Show this help.' } }

export async function helpForAll(): Promise<string> {
  const sections = await Promise.all(Object.keys(groups).map(groupSection))
  return `Usage: npm run leads -- [GROUP] COMMAND [OPTIONS]

${sections.join('\n\n')}

Help for a group or a command:  npm run leads -- NAME --help
For a file or another program:  npm run -s leads -- …  (without -s, npm prints two lines of its own)

The commands work on the store in DATA_DIR or DATABASE_URL, also while the server runs.
An ID may be shortened to 8 characters or more, as long as it is unique.
Exit codes: 0 done, 1 failed, 2 wrong usage.
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

export function helpForOne({ group, name, command }: Pick<FoundCommand, 'group' | 'name' | 'command'>): string {
  const { usage, about, options, examples }: Command = command
  const call = (rest: string) =>
    `  npm run ${/[>|]/.test(rest) ? '-s ' : ''}leads -- ${group} ${name} ${rest}`.trimEnd()
  const described = Object.entries({ ...options, ...helpOption }).map(
    ([option, { value, valueAsked, about: aboutOption }]) =>
      [`--${option}${value ? (valueAsked ? ` [${value}]` : ` ${value}`) : ''}`, aboutOption] as const,
  )
  return `Usage:
${usage.map(call).join('\n')}

${about}

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
