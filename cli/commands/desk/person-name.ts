/** The name of one of the operator's people, as it was typed after a command. */
import type { Typed } from '../../command.ts'
import { Misuse } from '../../failure.ts'

const LONGEST_NAME = 80

export function personName({ words }: Typed): string {
  const name = words[0]?.trim() ?? ''
  if (name === '') throw new Misuse('Say who, in quotes: "Maria Lopez".')
  if (name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw new Misuse(`A name may have ${LONGEST_NAME} characters, on one line.`)
  }
  return name
}
