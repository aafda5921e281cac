/** Parses the arguments after a command's name, with readable errors. */
import { parseArgs } from 'node:util'
import { nearest } from '../server/spelling.ts'
import type { Options, Typed } from './command.ts'
import { Misuse } from './failure.ts'

export function parseTyped(argv: readonly string[], options: Options, mostWords: number): Typed {
  const { tokens } = parseArgs({
    args: argv.map((word, index) => (isWithoutValue(word, argv[index + 1], options) ? `${word}=` : word)),
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
    ),
    // Not strict: its errors are written for programmers.
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const option = options[token.name]
    if (!option) throw new Misuse(`Unknown option ${token.rawName}.${suggestion(token.name, options)}`)
    values.set(token.name, [...(values.get(token.name) ?? []), readValue(token, option)])
    if (!option.repeatable && values.get(token.name)?.length === 2) {
      throw new Misuse(`${token.rawName} is given twice.`)
    }
  }
  // Never quoted in an error: it may be a person's name or email.
  if (words.length > mostWords) {
    throw new Misuse('Too many arguments. Put quotes around names that contain spaces.')
  }
  return {
    text: name => values.get(name)?.[0],
    texts: name => values.get(name) ?? [],
    isSet: name => values.has(name),
    words,
  }
}

/** Passed to the parser as an empty value: it would take the next option for one. */
function isWithoutValue(word: string, next: string | undefined, options: Options): boolean {
  return options[word.replace(/^--/, '')]?.valueAsked === true && (next === undefined || next.startsWith('-'))
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function readValue({ rawName, value, inlineValue }: OptionToken, option: Options[string]): string {
  if (!option?.value) {
    if (value !== undefined) throw new Misuse(`${rawName} takes no value.`)
    return ''
  }
  if (value === '' && option.valueAsked) return ''
  // `--limit --json` is a missing value, not the value "--json".
  if (value === undefined || value === '' || (!inlineValue && value.startsWith('-'))) {
    throw new Misuse(`${rawName} needs a value: ${rawName}=${option.value}.`)
  }
  return value
}

function suggestion(name: string, options: Options): string {
  const near = nearest(name, Object.keys(options))
  return near ? ` Did you mean --${near}?` : ''
}
