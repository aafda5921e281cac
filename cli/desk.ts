/** `invite`, `people`, `sign-out`, and `remove`: who can sign in to the desk. */
import { isoTime } from '../server/export/lead-formats.ts'
import { jsonText, plain } from '../server/export/plain-text.ts'
import { createToken, type DeskPersonRecord, type DeskRole, deskRoles } from '../server/store/accounts.ts'
import type { Store } from '../server/store/store.ts'
import { type Command, CommandError, type ParsedArgs, type Run, UsageError } from './command.ts'
import { table } from './terminal/table.ts'
import { counted } from './terminal/words.ts'
import { actingUser, byOption, calendarOf, withStore } from './with-store.ts'

const INVITATION_MS = 3_600_000
const MAX_NAME = 80

export const invite: Command = {
  summary: 'Invite someone to the desk. Prints a link that works once, for one hour.',
  usage: ['NAME [--role viewer|editor]'],
  about:
    'The person opens the link, creates a passkey, and uses it to sign in. Send the link only to that person: until it’s used, anyone who has it can sign in. Their name appears in the history of leads they view or change.\n' +
    'Viewers can see everything, including contact details, but can’t change anything. Editors can also change leads.\n' +
    'If someone loses their passkeys, invite the same name again: using the new link replaces their passkeys and ends their sessions. Without --role, an existing person keeps their role and a new one becomes a viewer.',
  options: {
    role: { value: 'viewer|editor', about: 'What the person can do. Default for new people: viewer.' },
    ...byOption,
  },
  examples: ['"Maria Lopez"', '"Maria Lopez" --role editor'],
  maxPositionals: 1,
  async run(run) {
    const [name, role, by] = [readName(run.args), readRole(run.args), actingUser(run.args)]
    const { desk } = run.readConfig()
    if (desk.port === 0) throw new CommandError('The link needs a port. Set one in DESK_URL.')
    const { token, hash } = createToken()
    const invited = await withStore(run, 'write', store =>
      store.invite({ name, role, tokenHash: hash, ttlMs: INVITATION_MS, by }),
    )
    await run.notes.write(`${invitedInWords(invited)} and expires ${calendarOf(run).inWords(invited.endsAt)}:\n`)
    // A fragment is never sent to a server, so neither logs nor link previews see the token.
    await run.out.write(`${desk.url}/invitation#${token}\n`)
  },
}

export const people: Command = {
  summary: 'List who can sign in to the desk, and who is signed in.',
  usage: ['[--json]'],
  about: 'Lists everyone ever invited: role, status (registered, invited, or removed), passkeys, and active sessions.',
  options: { json: { about: 'Print JSON.' } },
  examples: ['', '--json'],
  async run(run) {
    const everyone = await withStore(run, 'read', store => store.deskPeople())
    if (run.args.isSet('json')) return run.out.write(`${jsonText(everyone.map(personJson), 2)}\n`)
    if (everyone.length === 0) {
      return run.notes.write('No one has been invited yet. To invite someone: npm run leads -- invite "Maria Lopez"\n')
    }
    const { inWords } = calendarOf(run)
    const signedIn = ({ sessions, lastSignInAt }: DeskPersonRecord) =>
      sessions > 0 ? `now (${counted(sessions, 'session')})` : lastSignInAt === null ? 'never' : inWords(lastSignInAt)
    const rows = everyone.map(person => [
      ...[plain(person.name), person.role, stateOf(person, inWords), String(person.passkeys), signedIn(person)],
    ])
    await run.out.write(table(columns, rows, run.stdout))
  },
}

const columns = [
  { head: 'NAME', elastic: true },
  { head: 'ROLE' },
  { head: 'STATE', elastic: true },
  { head: 'PASSKEYS' },
  { head: 'SIGNED IN' },
] as const

function stateOf(person: DeskPersonRecord, inWords: (time: number) => string): string {
  const { dismissedAt, invitationEndsAt, passkeys } = person
  if (invitationEndsAt !== null) return `invited (link expires ${inWords(invitationEndsAt)})`
  if (dismissedAt !== null) return `removed ${inWords(dismissedAt)}`
  return passkeys > 0 ? 'registered' : 'invitation not used'
}

function personJson({ id, ...person }: DeskPersonRecord) {
  const iso = ([name, value]: [string, unknown]) =>
    name.endsWith('At') && typeof value === 'number' ? [name, isoTime(value)] : [name, value]
  return Object.fromEntries(Object.entries(person).map(iso))
}

export const signOut: Command = {
  summary: 'Sign someone out of the desk on all devices.',
  usage: ['NAME'],
  about:
    'For a lost or unattended computer. Takes effect immediately in every browser; the person can sign in again with their passkey. To revoke access permanently, use `remove`.',
  examples: ['"Maria Lopez"'],
  maxPositionals: 1,
  run: run => endAccess(run, store => store.signOut(readName(run.args)), 'signed out'),
}

export const remove: Command = {
  summary: 'Remove someone from the desk.',
  usage: ['NAME'],
  about:
    'Ends their sessions immediately, deletes their passkeys and any pending invitation, and stops bulk actions they started. Their name stays in the history of leads. To let them back in, use `invite`.',
  examples: ['"Maria Lopez"'],
  maxPositionals: 1,
  run: run => endAccess(run, store => store.dismiss(readName(run.args)), 'removed'),
}

async function endAccess(
  run: Run,
  operation: (store: Store) => ReturnType<Store['dismiss']>,
  done: string,
): Promise<void> {
  readName(run.args)
  const person = await withStore(run, 'write', operation)
  if (person === null) throw new CommandError('No one by that name has been invited. See npm run leads -- people')
  await run.notes.write(`${plain(person.name)} was ${done}: ${counted(person.sessions, 'session')} ended.\n`)
}

function readName({ positionals }: ParsedArgs): string {
  const name = positionals[0]?.trim() ?? ''
  if (name === '') throw new UsageError('Specify a name, in quotes: "Maria Lopez".')
  if (name.length > MAX_NAME || /\p{Cc}/u.test(name)) {
    throw new UsageError(`A name can have at most ${MAX_NAME} characters, on one line.`)
  }
  return name
}

function invitedInWords({ person, known }: Awaited<ReturnType<Store['invite']>>): string {
  const before = {
    new: '',
    invited: ' The previous link no longer works.',
    registered: ' Using the link replaces all their passkeys and ends all their sessions.',
    dismissed: ' They were removed; using the link restores their access.',
  }[known]
  return `${person.name} is invited as ${person.role === 'editor' ? 'an editor' : 'a viewer'}.${before} This personal link works once`
}

/** Role names up to 0.5.3. */
const formerRoles: Readonly<Record<string, DeskRole>> = { look: 'viewer', act: 'editor' }

function readRole(args: ParsedArgs): DeskRole | null {
  const value = args.text('role')
  if (value === undefined) return null
  const role = deskRoles.find(each => each === (formerRoles[value] ?? value))
  if (role === undefined) throw new UsageError('--role must be viewer or editor.')
  return role
}
