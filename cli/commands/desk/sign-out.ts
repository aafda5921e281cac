/** `sign-out` and `dismiss`: how somebody leaves the desk, for now or for good. Both take effect with the next request. */

import { plain } from '../../../server/export/plain-text.ts'
import type { Departed } from '../../../server/store/accounts.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { withStore } from '../../leads/with-store.ts'
import { counted } from '../../terminal/words.ts'
import { personName } from './person-name.ts'

export const signOut: Command = {
  summary: 'Ends all sessions of somebody at the desk.',
  usage: ['NAME'],
  about:
    'For a computer that was left open, or lent out. Takes effect at once, in every browser; the person comes in again with\n' +
    'their passkey. To keep somebody out for good, use `dismiss`.',
  options: {},
  examples: ['"Maria Lopez"'],
  mostWords: 1,
  run: run => leave(run, store => store.signOut(personName(run.typed)), 'signed out'),
}

export const dismiss: Command = {
  summary: 'Keeps somebody from the desk from now on.',
  usage: ['NAME'],
  about:
    'Ends all sessions of the person at once, and takes their passkeys and a waiting invitation away. A change of many leads\n' +
    'that they have begun at the desk stops where it is. Their name stays in the history of leads. `invite` lets them in\n' +
    'again.',
  options: {},
  examples: ['"Maria Lopez"'],
  mostWords: 1,
  run: run => leave(run, store => store.dismiss(personName(run.typed)), 'dismissed'),
}

async function leave(run: Run, how: (store: Store) => Promise<Departed | null>, done: string): Promise<number> {
  const departed = await withStore(run, 'write', how)
  if (departed === null) throw new Failure('Nobody of that name was invited. See npm run leads -- people')
  await run.notes.write(`${plain(departed.name)} is ${done}: ${counted(departed.sessions, 'session')} ended.\n`)
  return exitCodes.done
}
