/** `people`: who may come to the desk, and who is there. */

import { plain } from '../../../server/export/plain-text.ts'
import type { DeskPersonRecord } from '../../../server/store/accounts.ts'
import type { Command } from '../../command.ts'
import { exitCodes } from '../../failure.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { table } from '../../terminal/table.ts'

const columns = [
  { head: 'NAME', elastic: true },
  { head: 'ROLE' },
  { head: 'STATE', elastic: true },
  { head: 'PASSKEYS' },
  { head: 'SIGNED IN' },
] as const

export const people: Command = {
  summary: 'Who may come to the desk, and who is signed in.',
  usage: ['[--json]'],
  about:
    'All who were ever invited: their role, whether they have registered a passkey, were dismissed, or have an invitation\n' +
    'that waits for them; how many passkeys they have, and in how many browsers they are signed in.',
  options: { json: { about: 'As JSON, an object a line.' } },
  examples: ['', '--json'],
  mostWords: 0,
  async run(run) {
    const everybody = await withStore(run, 'read', store => store.deskPeople())
    if (run.typed.isSet('json')) {
      for (const { id, ...person } of everybody) await run.out.write(`${JSON.stringify(person)}\n`)
      return exitCodes.done
    }
    if (everybody.length === 0) {
      await run.notes.write(
        'Nobody has been invited yet. Invite somebody with: npm run leads -- invite "Maria Lopez"\n',
      )
      return exitCodes.done
    }
    const { inWords } = calendarOf(run)
    const rows = everybody.map(person => [
      plain(person.name),
      person.role,
      stateOf(person, inWords),
      String(person.passkeys),
      person.sessions > 0
        ? `${person.sessions} now`
        : person.lastSignInAt === null
          ? 'never'
          : inWords(person.lastSignInAt),
    ])
    await run.out.write(table(columns, rows, run.stdout.isTTY ? run.stdout.columns : undefined))
    return exitCodes.done
  },
}

function stateOf(
  { dismissedAt, invitationEndsAt, passkeys }: DeskPersonRecord,
  inWords: (time: number) => string,
): string {
  if (invitationEndsAt !== null) return `invited until ${inWords(invitationEndsAt)}`
  if (dismissedAt !== null) return `dismissed ${inWords(dismissedAt)}`
  return passkeys > 0 ? 'registered' : 'invitation not used'
}
