/** Asks the operator, and reads what is typed, a line at a time. */
import { type CliContext, CommandError, type Run, UsageError } from '../command.ts'

/** The answer, or the first line of standard input if that is not a terminal. The end of input is an empty answer. */
export async function ask({ stdin, stderr }: CliContext, question: string): Promise<string> {
  if (stdin.isTTY) stderr.write(question)
  return (await readLine(stdin)).trim()
}

/** Not node:readline, which takes everything that has arrived: the answer to a second question would be lost. */
function readLine(stdin: CliContext['stdin']): Promise<string> {
  stdin.setEncoding('utf8')
  return new Promise(resolve => {
    let text = ''
    const take = (chunk: string) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end !== -1) finish(text.slice(0, end), text.slice(end + 1))
    }
    const takeAll = () => finish(text, '')
    function finish(line: string, rest: string): void {
      stdin.off('data', take)
      stdin.off('end', takeAll)
      // Listening to a terminal would keep the process from ending.
      stdin.pause()
      if (rest !== '') stdin.unshift(rest)
      resolve(line)
    }
    stdin.on('data', take)
    stdin.once('end', takeAll)
    stdin.resume()
    if (!stdin.readable) takeAll()
  })
}

export const yesOption = { yes: { about: 'Don’t ask for confirmation.' } } as const

/** Throws unless the answer is a clear yes. Without a terminal, the question is an error and not a silent yes. */
export async function confirm(run: Run, question: string): Promise<void> {
  if (run.args.isSet('yes')) return
  if (!run.stdin.isTTY) throw new UsageError(`${question} To confirm in a script, add --yes.`)
  const answer = await ask(run, `${question} Type yes to continue: `)
  if (!/^y(es)?$/i.test(answer)) throw new CommandError('Nothing was changed.')
}
