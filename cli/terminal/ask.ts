/** Asks the operator, and reads what is typed, a line at a time. */
import type { Run } from '../command.ts'
import { Misuse } from '../failure.ts'
import type { Surroundings } from './surroundings.ts'

/** The answer, or the first line of standard input where that is no terminal. The end of input, as Ctrl+D, is an empty answer. */
export async function ask({ stdin, stderr }: Surroundings, question: string): Promise<string> {
  if (stdin.isTTY) stderr.write(question)
  return (await readLine(stdin)).trim()
}

/** Not node:readline, which takes in all that has arrived: the answer to a second question would be gone. */
function readLine(stdin: Surroundings['stdin']): Promise<string> {
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
      // A terminal that is listened to would keep the process from ending.
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

export const yesOption = { yes: { about: 'Do it without asking.' } } as const

/** Asks before something that cannot be taken back. True only for a clear yes. Where nobody can be asked, the question is an error and not a silent yes. */
export async function confirm(run: Run, question: string): Promise<boolean> {
  if (run.typed.isSet('yes')) return true
  if (!run.stdin.isTTY) throw new Misuse(`${question} Nobody can be asked here: add --yes to do it.`)
  if (/^y(es)?$/i.test(await ask(run, `${question} Type yes to go on: `))) return true
  await run.notes.write('Nothing was changed.\n')
  return false
}
