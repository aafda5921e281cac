/** Asks before something that cannot be taken back. */
import { createInterface } from 'node:readline'
import type { Run } from './command.ts'
import { Misuse } from './failure.ts'

export const yesOption = { yes: { about: 'Do it without asking.' } } as const

/** True only for a clear yes. Where nobody can be asked, the question is an error and not a silent yes. */
export async function confirm({ typed, stdin, stderr, notes }: Run, question: string): Promise<boolean> {
  if (typed.isSet('yes')) return true
  if (!stdin.isTTY) throw new Misuse(`${question} Nobody can be asked here: add --yes to do it.`)
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    // The end of input, as Ctrl+D, is a no.
    const answer = await new Promise<string>(resolve => {
      lines.once('close', () => resolve(''))
      lines.question(`${question} Type yes to go on: `, resolve)
    })
    if (/^y(es)?$/i.test(answer.trim())) return true
  } finally {
    lines.close()
  }
  await notes.write('Nothing was changed.\n')
  return false
}
