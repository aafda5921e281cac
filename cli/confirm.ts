/** Asks before something that cannot be taken back. */
import { ask } from './ask.ts'
import type { Run } from './command.ts'
import { Misuse } from './failure.ts'

export const yesOption = { yes: { about: 'Do it without asking.' } } as const

/** True only for a clear yes. Where nobody can be asked, the question is an error and not a silent yes. */
export async function confirm(run: Run, question: string): Promise<boolean> {
  if (run.typed.isSet('yes')) return true
  if (!run.stdin.isTTY) throw new Misuse(`${question} Nobody can be asked here: add --yes to do it.`)
  if (/^y(es)?$/i.test(await ask(run, `${question} Type yes to go on: `))) return true
  await run.notes.write('Nothing was changed.\n')
  return false
}
