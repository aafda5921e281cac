/** Prompts the operator and reads the answer. */
import { createInterface } from 'node:readline'
import { type CliContext, CommandError, type Run, UsageError } from '../command.ts'
import { outputTo } from './output.ts'

/** One reader per stream: a second one would miss lines that the first has already read. */
const readers = new WeakMap<CliContext['stdin'], AsyncIterator<string>>()

/** Returns the answer, or the next line of standard input if it isn't a terminal. Empty at the end of input. */
export async function ask({ stdin, stderr }: CliContext, question: string): Promise<string> {
  if (stdin.isTTY) await outputTo(stderr).write(question)
  const lines = readers.get(stdin) ?? createInterface({ input: stdin })[Symbol.asyncIterator]()
  readers.set(stdin, lines)
  const { value, done } = await lines.next()
  return done ? '' : value.trim()
}

export const yesOption = { yes: { about: 'Don’t ask for confirmation.' } } as const

/** Throws unless the answer is yes. Without a terminal, it throws instead of assuming yes. */
export async function confirm(run: Run, question: string): Promise<void> {
  if (run.args.isSet('yes')) return
  if (!run.stdin.isTTY) throw new UsageError(`${question} To confirm in a script, add --yes.`)
  const answer = await ask(run, `${question} Type yes to continue: `)
  if (!/^y(es)?$/i.test(answer)) throw new CommandError('Nothing was changed.')
}
