/** The help texts, for all commands and for each. */
import type { Command, Options } from './command.ts'
import type { Commands } from './commands.ts'

export const helpOption: Options = { help: { about: 'Show this help.' } }

export async function helpForAll(commands: Commands): Promise<string> {
  const summaries = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => [name, (await load()).summary] as const),
  )
  return `Sees and handles the leads in the store.

Usage: npm run leads -- COMMAND [OPTIONS]

Commands:
${aligned(summaries)}

More about one:  npm run leads -- COMMAND --help
Into a file or another program:  npm run -s leads -- COMMAND …  (without -s, npm adds two lines of its own)

The store is the one in DATA_DIR (./data). The commands may be used while the server runs.
An ID may be cut short, to 8 characters or more, as long as no other lead begins with them.
Exit codes: 0 done, 1 failed, 2 typed wrongly.
`
}

export function helpForOne(name: string, { usage, about, options, examples }: Command): string {
  const call = (rest: string) => `  npm run ${/[>|]/.test(rest) ? '-s ' : ''}leads -- ${name} ${rest}`.trimEnd()
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
