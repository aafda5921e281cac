/** `invite`: the only way to the desk. Prints a link, for the person and nobody else. */
import { type DeskRole, deskRoles, type Invited } from '../../../server/store/desk/people-store.ts'
import { createToken } from '../../../server/store/desk/tokens.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { calendarOf } from '../../leads/when.ts'
import { whoAsks } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'
import { personName } from './person-name.ts'

const INVITATION_MS = 3_600_000

export const invite: Command = {
  summary: 'A link to the desk for somebody: it works once, for an hour.',
  usage: ['NAME [--role look|act]'],
  about:
    'Whoever opens the link registers a passkey, and comes to the desk with it from then on. Send it to that person alone:\n' +
    'it is as good as a key until it is used. Their name stands in the history of the leads that they look at and change.\n' +
    'Those who look see everything, contact details included, and change nothing; those who act may also change.\n' +
    'For somebody who has lost their passkeys, invite the same name again: once the new link is used, all passkeys and\n' +
    'sessions of before end. A role that is not given stays as it is; for somebody new it is look.',
  options: {
    role: { value: 'look|act', about: 'What the person may do: look (for somebody new, unless said) or act.' },
  },
  examples: ['"Maria Lopez"', '"Maria Lopez" --role act'],
  mostWords: 1,
  async run(run) {
    const name = personName(run.typed)
    const role = readRole(run.typed.text('role'))
    const { desk } = run.readConfig()
    if (desk.port === 0) throw new Failure('DESK_URL has no port yet: set one, so that the link leads somewhere.')
    const { token, hash } = createToken()
    const invited = await withStore(run, 'write', store =>
      store.invite({ name, role, tokenHash: hash, lastsMs: INVITATION_MS, by: whoAsks() }),
    )
    await run.notes.write(`${inWords(invited)} until ${calendarOf(run).inWords(invited.endsAt)}:\n`)
    // A fragment is never sent: neither a server's log nor a preview of the link sees the token.
    await run.out.write(`${desk.url}/invitation#${token}\n`)
    return exitCodes.done
  },
}

function inWords({ person, known }: Invited): string {
  const does = person.role === 'act' ? 'look and act' : 'look'
  const before = {
    new: '',
    invited: ' The link of before works no more.',
    registered: ' Once the link is used, all passkeys and sessions of before end.',
    dismissed: ' They had been dismissed, and may come in again with it.',
  }[known]
  return `${person.name} may ${does}.${before} For ${person.name} alone, once,`
}

function readRole(value: string | undefined): DeskRole | null {
  if (value === undefined) return null
  const role = deskRoles.find(each => each === value)
  if (role === undefined) throw new Misuse('--role must be look or act.')
  return role
}
