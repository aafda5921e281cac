/** Asks the operator, and reads the answer. */
import { createInterface } from 'node:readline'
import { type CliContext, CommandError, type Run, UsageError } from '../command.ts'

/** One reader per stream: a second one would miss the lines that the first has already taken. */
const readers = new WeakMap<CliContext['stdin'], AsyncIterator<string>>()

/** The answer, or the first line of standard input if that is not a terminal. The end of input is an empty answer. */
export async function ask({ stdin, stderr }: CliContext, question: string): Promise<string> {
  if (stdin.isTTY) stderr.write(question)
  const lines = readers.get(stdin) ?? createInterface({ input: stdin })[Symbol.asyncIterator]()
  readers.set(stdin, lines)
  const { value, done } = await lines.next()
  return done ? '' : value.trim()
}

export const yesOption = { yes: { about: 'Don’t ask for confirmation.' } } as const

/** Throws unless the answer is a clear yes. Without a terminal, the question is an error and not a silent yes. */
export async function confirm(run: Run, question: string): Promise<void> {
  if (run.args.isSet('yes')) return
  if (!run.stdin.isTTY) throw new UsageError(`${question} To confirm in a script, add --yes.`)
  const answer = await ask(run, `${question} Type yes to continue: `)
  if (!/^y(es)?$/i.test(answer)) throw new CommandError('Nothing was changed.')
}
