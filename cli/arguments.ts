/** Parses the arguments after a command's name, with readable errors. */
import { parseArgs } from 'node:util'
import { nearest } from '../server/settings-file.ts'
import { type Option, type Options, type ParsedArgs, UsageError } from './command.ts'

export function parseArguments(argv: readonly string[], options: Options, maxPositionals: number): ParsedArgs {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
    ),
    // Not strict: its errors are written for programmers.
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = options[token.name]
    if (!option) throw new UsageError(`Unknown option ${token.rawName}.${suggestion(token.name, options)}`)
    const given = values.get(token.name) ?? []
    if (given.length > 0 && !option.repeatable) throw new UsageError(`${token.rawName} can be used only once.`)
    values.set(token.name, [...given, readValue(token, option)])
  }
  // Never quoted in an error: it may be a person's name or email.
  if (positionals.length > maxPositionals) {
    throw new UsageError('Too many arguments. Put quotes around names that contain spaces.')
  }
  return {
    text: name => values.get(name)?.[0],
    texts: name => values.get(name) ?? [],
    isSet: name => values.has(name),
    positionals,
  }
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function readValue({ rawName, value, inlineValue }: OptionToken, option: Option): string {
  if (!option.value) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    return ''
  }
  // `--limit --json` is a missing value, not the value "--json". A dash alone means standard input.
  if (value === undefined || value === '' || (!inlineValue && value !== '-' && value.startsWith('-'))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}.`)
  }
  return value
}

function suggestion(name: string, options: Options): string {
  const near = nearest(name, Object.keys(options))
  return near ? ` Did you mean --${near}?` : ''
}

/** The value of an option that must be one of a few. */
export function oneOf<T extends string>(args: ParsedArgs, option: string, known: readonly T[]): T | undefined {
  const value = args.text(option)
  if (value === undefined) return undefined
  const found = known.find(name => name === value)
  if (found) return found
  const near = nearest(value, known)
  const hint = near ? ` Did you mean ${near}?` : ''
  throw new UsageError(`--${option} must be one of ${known.join(', ')}, not ${JSON.stringify(value)}.${hint}`)
}

export function readLimit(args: ParsedArgs, usual: number): number {
  const value = args.text('limit') ?? String(usual)
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value)
  throw new UsageError(`--limit must be a number from 1 to 9999999, not ${JSON.stringify(value)}.`)
}
