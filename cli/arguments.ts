/** Parses the arguments after a command's name, with readable errors. */
import { parseArgs } from 'node:util'
import { LEADS } from '../server/settings/leads-command.ts'
import { nearest } from '../server/settings/settings-file.ts'
import { type FoundCommand, type ParsedArgs, UsageError } from './command.ts'

export function parseArguments({ group, name: commandName, command, rest }: FoundCommand): ParsedArgs {
  const { options = {}, argument = '' } = command
  const { tokens } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(
      Object.entries(options).map(([option, { value }]) => [option, { type: value ? 'string' : 'boolean' } as const]),
    ),
    // Strict mode's errors are written for programmers.
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const option = options[name]
    if (!option) throw new UsageError(`Unknown option ${rawName}.${suggestion(name, Object.keys(options), '--')}`)
    const earlier = values.get(name) ?? []
    if (earlier.length > 0 && !option.repeatable) throw new UsageError(`${rawName} can be used only once.`)
    if (!option.value && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    // `--limit --json` is a missing value, not the value "--json". A dash alone means standard input.
    if (option.value && (!value || (!token.inlineValue && value !== '-' && value.startsWith('-')))) {
      throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}.`)
    }
    values.set(name, [...earlier, value ?? ''])
  }
  if (positionals.length === 0 && /^\w/.test(argument)) {
    throw new UsageError(`Specify ${argument}: ${LEADS} ${group} ${commandName} ${argument}`)
  }
  // Don't quote the extra argument: it may be a person's name or email.
  if (positionals.length > (argument === '' ? 0 : 1) && !argument.includes('…')) {
    throw new UsageError('Too many arguments. Put quotes around names that contain spaces.')
  }
  return {
    text: option => values.get(option)?.[0],
    texts: option => values.get(option) ?? [],
    isSet: option => values.has(option),
    positionals,
  }
}

export function suggestion(typed: string, known: readonly string[], prefix = ''): string {
  const near = nearest(typed, known)
  return near ? ` Did you mean ${prefix}${near}?` : ''
}
