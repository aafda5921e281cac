/** Finds commands by name, and formats their help. */

import { LEADS, LEADS_PIPED } from '../server/settings/leads-command.ts'
import { suggestion } from './arguments.ts'
import { backup } from './backup.ts'
import { doctor } from './check/doctor.ts'
import { testAlert, testMail, testWebhook } from './check/test-messages.ts'
import { type Command, type FoundCommand, type Option, UsageError } from './command.ts'
import { pause, resume } from './deliveries.ts'
import { invite, people, remove, signOut } from './desk.ts'
import { doNotCall } from './leads/do-not-call.ts'
import { erase } from './leads/erase.ts'
import { exportLeads } from './leads/export.ts'
import { verify } from './leads/verify.ts'
import { key, move, restore } from './store.ts'

export const groups: Readonly<Record<string, { about: string; commands: Readonly<Record<string, Command>> }>> = {
  leads: {
    about: 'Export or erase leads, add to the do-not-call list, or verify a contact record.',
    commands: { export: exportLeads, 'do-not-call': doNotCall, erase, verify },
  },
  deliveries: { about: 'Pause or resume deliveries.', commands: { pause, resume } },
  desk: { about: 'Manage who can sign in to the desk.', commands: { invite, people, 'sign-out': signOut, remove } },
  store: { about: 'Back up, restore, or move the store.', commands: { backup, restore, move, key } },
  check: {
    about: 'Check the installation.',
    commands: { doctor, webhook: testWebhook, alert: testAlert, mail: testMail },
  },
}

const allCommands = Object.entries(groups).flatMap(([group, { commands }]) =>
  Object.entries(commands).map(([name, command]) => ({ group, name, command })),
)

/** Accepts `GROUP COMMAND …` or just `COMMAND …`, because command names are unique across groups. */
export function findCommand(argv: readonly string[]): FoundCommand {
  const [first = '', second = ''] = argv
  const groupName = Object.hasOwn(groups, first) ? first : undefined
  const [name, rest] = groupName === undefined ? [first, argv.slice(1)] : [second, argv.slice(2)]
  const searched = allCommands.filter(({ group }) => groupName === undefined || groupName === group)
  const found = searched.find(command => command.name === name)
  if (found) return { ...found, rest }
  // Don't repeat what was typed: it may be a person's name.
  if (name.startsWith('-')) throw new UsageError(`Put the command first, then its options. See ${LEADS} help`)
  const known = searched.map(command => command.name)
  const hint = suggestion(name, groupName === undefined ? [...known, ...Object.keys(groups)] : known)
  throw new UsageError(`Unknown command${groupName ? ` in ${groupName}` : ''}.${hint} See ${LEADS} help`)
}

const WIDTH = 100

export function helpForAll(): string {
  return `Usage: ${LEADS} [GROUP] COMMAND [OPTIONS]

${Object.keys(groups).map(groupSection).join('\n')}
Help for a group or a command:   ${LEADS} NAME --help
To redirect or pipe the output:  ${LEADS_PIPED} …

Commands use the store in DATA_DIR or DATABASE_URL, even while the server is running.
People work in the desk; these commands are for the installation and for scripts.
You can shorten an ID to 8 or more characters, as long as it stays unique.
With --json, commands print an array of objects, with times in UTC (ISO 8601).
Exit codes: 0 success, 1 failure, 2 usage error.
`
}

export function helpForGroup(group: string): string {
  return `Usage: ${LEADS} ${group} COMMAND [OPTIONS]\n\n${groupSection(group)}`
}

function groupSection(name: string): string {
  const { about, commands } = groups[name] as (typeof groups)[string]
  return `${name}: ${about}\n${alignColumns(Object.entries(commands).map(([command, { summary }]) => [command, summary]))}`
}

export function helpForOne({ group, name, command }: FoundCommand): string {
  const { summary, argument = '', about, options = {}, examples = [''] } = command
  const call = (rest: string) => `${/ [>|] /.test(rest) ? LEADS_PIPED : LEADS} ${group} ${name} ${rest}`.trimEnd()
  const allOptions = Object.entries<Option>({ ...options, help: { about: 'Show this help.' } })
  return `Usage: ${call([argument, '[OPTIONS]'].join(' ').trim())}

${[summary, ...about.split('\n')].map(wrap).join('\n')}

Options:
${alignColumns(allOptions.map(([option, { value, about: text }]) => [`--${option} ${value ?? ''}`, text]))}
Examples:
${examples.map(example => `  ${call(example)}\n`).join('')}`
}

function alignColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}\n`).join('')
}

function wrap(paragraph: string): string {
  const lines = ['']
  for (const word of paragraph.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart()
    if (line.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines.join('\n')
}
