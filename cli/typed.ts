/** Takes apart what was typed after a command's name, and explains what cannot be understood. */
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
    // Not strict, since its complaints are for programmers; the tokens tell us all we need for our own.
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
    if (!option) throw new Misuse(`There is no option ${token.rawName}.${suggestion(token.name, options)}`)
    values.set(token.name, [...(values.get(token.name) ?? []), readValue(token, option)])
    if (!option.repeatable && values.get(token.name)?.length === 2) {
      throw new Misuse(`The option ${token.rawName} is given twice.`)
    }
  }
  // Not repeated, here and below: it may be the name or the e-mail address of a person.
  if (words.length > mostWords) {
    throw new Misuse(mostWords === 0 ? 'Only options may follow.' : `Only ${mostWords} word may follow, and options.`)
  }
  return {
    text: name => values.get(name)?.[0],
    texts: name => values.get(name) ?? [],
    isSet: name => values.has(name),
    words,
  }
}

/** Said to the parser as an empty value, since it would take the next option for one. */
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
    if (value !== undefined) throw new Misuse(`The option ${rawName} takes no value.`)
    return ''
  }
  if (value === '' && option.valueAsked) return ''
  // `--limit --json` leaves out the value rather than giving "--json" for it.
  if (value === undefined || value === '' || (!inlineValue && value.startsWith('-'))) {
    throw new Misuse(`The option ${rawName} needs a value: ${rawName}=${option.value}.`)
  }
  return value
}

function suggestion(name: string, options: Options): string {
  const near = nearest(name, Object.keys(options))
  return near ? ` Did you mean --${near}?` : ''
}
