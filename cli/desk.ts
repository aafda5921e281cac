/** `invite`, `people`, `sign-out`, and `remove`: who can sign in to the desk. */
import { isoTime } from '../server/export/lead-json.ts'
import { jsonText, plain } from '../server/export/plain-text.ts'
import {
  createToken,
  type Departed,
  type DeskPersonRecord,
  type DeskRole,
  deskRoles,
  type Invited,
} from '../server/store/accounts.ts'
import type { Store } from '../server/store/store.ts'
import { type Command, CommandError, type ParsedArgs, type Run, UsageError } from './command.ts'
import { table } from './terminal/table.ts'
import { counted } from './terminal/words.ts'
import { byOption, calendarOf, whoRuns, withStore } from './with-store.ts'

const INVITATION_MS = 3_600_000
const MAX_NAME = 80

export const invite: Command = {
  summary: 'Invite someone to the desk. Prints a link that works once, for one hour.',
  usage: ['NAME [--role viewer|editor]'],
  about:
    'The person opens the link, registers a passkey, and signs in with it from then on. Send the link to that person only: until it is used, anyone who has it can sign in. Their name appears in the history of leads they view or change.\n' +
    'Viewers see everything, contact details included, and change nothing. Editors can also change leads.\n' +
    'If someone lost their passkeys, invite the same name again: the new link replaces all passkeys and ends all sessions. Without --role, the role stays as it is; a new person becomes a viewer.',
  options: {
    role: { value: 'viewer|editor', about: 'What the person can do. New people are viewers by default.' },
    ...byOption,
  },
  examples: ['"Maria Lopez"', '"Maria Lopez" --role editor'],
  maxWords: 1,
  async run(run) {
    const [name, role, by] = [readName(run.args), readRole(run.args), whoRuns(run.args)]
    const { desk } = run.readConfig()
    if (desk.port === 0) throw new CommandError('DESK_URL has no port. Set one, so that the link works.')
    const { token, hash } = createToken()
    const invited = await withStore(run, 'write', store =>
      store.invite({ name, role, tokenHash: hash, lastsMs: INVITATION_MS, by }),
    )
    await run.notes.write(`${invitedInWords(invited)} until ${calendarOf(run).inWords(invited.endsAt)}:\n`)
    // A fragment is never sent to a server, so neither logs nor link previews see the token.
    await run.out.write(`${desk.url}/invitation#${token}\n`)
  },
}

export const people: Command = {
  summary: 'List who can sign in to the desk, and who is signed in.',
  usage: ['[--json]'],
  about: 'Everyone who was ever invited: role, whether they registered or were removed, passkeys, and open sessions.',
  options: { json: { about: 'Print JSON.' } },
  examples: ['', '--json'],
  async run(run) {
    const everyone = await withStore(run, 'read', store => store.deskPeople())
    if (run.args.isSet('json')) return run.out.write(`${jsonText(everyone.map(personJson), 2)}\n`)
    if (everyone.length === 0) {
      return run.notes.write('Nobody was invited yet. To invite someone: npm run leads -- invite "Maria Lopez"\n')
    }
    const { inWords } = calendarOf(run)
    const signedIn = ({ sessions, lastSignInAt }: DeskPersonRecord) =>
      sessions > 0 ? `${sessions} now` : lastSignInAt === null ? 'never' : inWords(lastSignInAt)
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
  if (invitationEndsAt !== null) return `invited until ${inWords(invitationEndsAt)}`
  if (dismissedAt !== null) return `removed ${inWords(dismissedAt)}`
  return passkeys > 0 ? 'registered' : 'invitation not used'
}

function personJson({ id, ...person }: DeskPersonRecord) {
  const iso = ([name, value]: [string, unknown]) =>
    name.endsWith('At') && typeof value === 'number' ? [name, isoTime(value)] : [name, value]
  return Object.fromEntries(Object.entries(person).map(iso))
}

export const signOut: Command = {
  summary: 'End all desk sessions of someone.',
  usage: ['NAME'],
  about:
    'For a computer that was left open or lost. Takes effect at once in every browser; the person can sign in again with their passkey. To take away access for good, use `remove`.',
  examples: ['"Maria Lopez"'],
  maxWords: 1,
  run: run => leave(run, store => store.signOut(readName(run.args)), 'signed out'),
}

export const remove: Command = {
  summary: 'Remove someone from the desk.',
  usage: ['NAME'],
  about:
    'Ends all their sessions at once, and deletes their passkeys and any open invitation. Bulk actions they started stop. Their name stays in the history of leads. `invite` lets them in again.',
  examples: ['"Maria Lopez"'],
  maxWords: 1,
  run: run => leave(run, store => store.dismiss(readName(run.args)), 'removed'),
}

async function leave(run: Run, how: (store: Store) => Promise<Departed | null>, done: string): Promise<void> {
  readName(run.args)
  const departed = await withStore(run, 'write', how)
  if (departed === null) throw new CommandError('Nobody with that name was invited. See npm run leads -- people')
  await run.notes.write(`${plain(departed.name)} is ${done}: ${counted(departed.sessions, 'session')} ended.\n`)
}

function readName({ words }: ParsedArgs): string {
  const name = words[0]?.trim() ?? ''
  if (name === '') throw new UsageError('Specify a name, in quotes: "Maria Lopez".')
  if (name.length > MAX_NAME || /\p{Cc}/u.test(name)) {
    throw new UsageError(`A name must have at most ${MAX_NAME} characters, on one line.`)
  }
  return name
}

function invitedInWords({ person, known }: Invited): string {
  const before = {
    new: '',
    invited: ' The previous link no longer works.',
    registered: ' Using the link replaces all their passkeys and ends all their sessions.',
    dismissed: ' They were removed; using the link restores their access.',
  }[known]
  return `${person.name} is invited as ${person.role === 'editor' ? 'an editor' : 'a viewer'}.${before} Personal link, works once,`
}

/** Until 0.5.3. */
const formerRoles: Readonly<Record<string, DeskRole>> = { look: 'viewer', act: 'editor' }

function readRole(args: ParsedArgs): DeskRole | null {
  const value = args.text('role')
  if (value === undefined) return null
  const role = deskRoles.find(each => each === (formerRoles[value] ?? value))
  if (role === undefined) throw new UsageError('--role must be viewer or editor.')
  return role
}
