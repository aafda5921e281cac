/** `invite`: the only way to get access to the desk. Prints a personal link. */
import { createToken, type DeskRole, deskRoles, type Invited } from '../../../server/store/accounts.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { calendarOf } from '../../leads/when.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'
import { personName } from './person-name.ts'

const INVITATION_MS = 3_600_000

export const invite: Command = {
  summary: 'Invite someone to the desk. Prints a link that works once, for one hour.',
  usage: ['NAME [--role viewer|editor]'],
  about:
    'The person opens the link, registers a passkey, and signs in with it from then on. Send the link to that person only:\n' +
    'until it is used, anyone who has it can sign in. Their name appears in the history of leads they view or change.\n' +
    'Viewers see everything, contact details included, and change nothing. Editors may also change leads.\n' +
    'If someone lost their passkeys, invite the same name again: the new link replaces all passkeys and ends all sessions.\n' +
    'Without --role, the role stays as it is; a new person becomes a viewer.',
  options: {
    role: { value: 'viewer|editor', about: 'What the person may do. New people are viewers by default.' },
    ...byOption,
  },
  examples: ['"Maria Lopez"', '"Maria Lopez" --role editor'],
  mostWords: 1,
  async run(run) {
    const name = personName(run.typed)
    const role = readRole(run.typed.text('role'))
    const { desk } = run.readConfig()
    if (desk.port === 0) throw new Failure('DESK_URL has no port yet: set one, so that the link leads somewhere.')
    const { token, hash } = createToken()
    const invited = await withStore(run, 'write', store =>
      store.invite({ name, role, tokenHash: hash, lastsMs: INVITATION_MS, by: whoActs(run.typed) }),
    )
    await run.notes.write(`${inWords(invited)} until ${calendarOf(run).inWords(invited.endsAt)}:\n`)
    // A fragment is never sent: neither a server's log nor a preview of the link sees the token.
    await run.out.write(`${desk.url}/invitation#${token}\n`)
    return exitCodes.done
  },
}

function inWords({ person, known }: Invited): string {
  const before = {
    new: '',
    invited: ' The previous link no longer works.',
    registered: ' Using the link replaces all their passkeys and ends all their sessions.',
    dismissed: ' They had been dismissed; using the link restores their access.',
  }[known]
  return `${person.name} is invited as ${person.role === 'editor' ? 'an editor' : 'a viewer'}.${before} Personal link, works once,`
}

/** Until 0.5.3. */
const formerRoles: Readonly<Record<string, DeskRole>> = { look: 'viewer', act: 'editor' }

function readRole(value: string | undefined): DeskRole | null {
  if (value === undefined) return null
  const role = deskRoles.find(each => each === (formerRoles[value] ?? value))
  if (role === undefined) throw new Misuse('--role must be viewer or editor.')
  return role
}
