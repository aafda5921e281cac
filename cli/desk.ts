/** `invite`, `people`, `sign-out`, and `remove`: who can sign in to the desk. */
import { deskRoles, roleNames } from '../domain/roles.ts'
import { pluralize } from '../domain/text/numbers.ts'
import { isoTime } from '../server/export/formats.ts'
import { plain } from '../server/export/plain-text.ts'
import { LEADS } from '../server/settings/leads-command.ts'
import { createToken } from '../server/store/operations/desk/accounts.ts'
import { INVITATION_MS } from '../server/store/operations/desk/desk-people.ts'
import type { Store } from '../server/store/store.ts'
import type { DeskPersonRecord } from '../server/store/views/desk-people.ts'
import { type Command, CommandError, type ParsedArgs, UsageError } from './command.ts'
import { byOption, oneOf } from './options.ts'
import { table } from './terminal/text.ts'

export const invite: Command = {
  summary: 'Invite someone to the desk. Prints a link that works once, for one hour.',
  argument: 'NAME',
  about:
    'The person opens the link, creates a passkey, and uses it to sign in. Send the link only to that person: until it’s used, anyone who has it can sign in. Their name appears in the history of leads they view or change.\n' +
    'Viewers can see everything, including contact details, but can’t change anything. Agents can also call, take notes, and record outcomes and do-not-call requests. Editors can also approve, change, export, and erase leads.\n' +
    'If someone loses their passkeys, invite the same name again: using the new link replaces their passkeys and ends their sessions. Without --role, existing users keep their role, and new users become viewers.',
  options: {
    role: { value: deskRoles.join('|'), about: 'What the person can do. Default for new users: viewer.' },
    ...byOption,
  },
  examples: ['"Maria Lopez" --role agent', '"Joe Smith" --role editor'],
  async run(run) {
    const name = readName(run.args)
    const role = oneOf(run.args, 'role', deskRoles) ?? null
    const { desk } = run.readConfig()
    if (desk.port === 0) throw new CommandError('The link needs a port. Set one in DESK_URL.')
    const { token, hash } = createToken()
    const store = await run.openStore('write')
    const invited = await store.invite({ name, role, tokenHash: hash, ttlMs: INVITATION_MS, by: run.by() })
    await run.notes.write(`${describeInvitation(invited)} and expires ${run.calendar().format(invited.expiresAt)}:\n`)
    // A fragment is never sent to a server, so neither logs nor link previews see the token.
    await run.out.write(`${desk.url}/invitation#${token}\n`)
  },
}

export const people: Command = {
  summary: 'List who can sign in to the desk, and who is signed in.',
  about:
    'Includes everyone who was ever invited, with their role, status (registered, invited, or removed), passkeys, and sessions.',
  options: { json: { about: 'Print JSON.' } },
  examples: ['', '--json'],
  async run(run) {
    const everyone = await (await run.openStore('read')).deskPeople()
    if (run.args.isSet('json')) return run.json(everyone.map(personJson))
    if (everyone.length === 0) {
      return run.notes.write(`No one has been invited yet. To invite someone: ${LEADS} invite "Maria Lopez"\n`)
    }
    const { format } = run.calendar()
    const rows = everyone.map(person => ({
      name: person.name,
      role: person.role,
      status: statusOf(person, format),
      passkeys: person.passkeys,
      sessions: person.sessions,
      'last active': person.lastActiveAt === null ? 'never' : format(person.lastActiveAt),
    }))
    await run.out.write(table(rows, run.stdout, ['name', 'status']))
  },
}

function statusOf(person: DeskPersonRecord, format: (time: number) => string): string {
  const { dismissedAt, invitationEndsAt, passkeys } = person
  if (invitationEndsAt !== null) return `invited (link expires ${format(invitationEndsAt)})`
  if (dismissedAt !== null) return `removed ${format(dismissedAt)}`
  return passkeys > 0 ? 'registered' : 'invitation not used'
}

function personJson({ id, ...person }: DeskPersonRecord) {
  const iso = ([name, value]: [string, unknown]) =>
    name.endsWith('At') && typeof value === 'number' ? [name, isoTime(value)] : [name, value]
  return Object.fromEntries(Object.entries(person).map(iso))
}

export const signOut: Command = {
  summary: 'Sign someone out of the desk on all devices.',
  argument: 'NAME',
  about:
    'For a lost or unattended computer. Takes effect immediately in every browser; the person can sign in again with their passkey. To revoke access permanently, use `remove`.',
  options: byOption,
  examples: ['"Maria Lopez"'],
  async run(run) {
    const name = readName(run.args)
    const store = await run.openStore('write')
    const ended = await store.signOut({ name, by: run.by() })
    if (ended.kind !== 'signed out') throw unknownName()
    await run.notes.write(`${plain(ended.name)} was signed out: ${pluralize(ended.sessions, 'session')} ended.\n`)
  },
}

export const remove: Command = {
  summary: 'Remove someone from the desk.',
  argument: 'NAME',
  about:
    'Ends their sessions immediately, deletes their passkeys and any pending invitation, and stops bulk actions they started. Callbacks they promised can be made by anyone. Their name stays in the history of leads. To let them back in, use `invite`.',
  options: { 'last-editor': { about: 'Remove them even if nobody else can sign in as an editor.' }, ...byOption },
  examples: ['"Maria Lopez"'],
  async run(run) {
    const name = readName(run.args)
    const store = await run.openStore('write')
    const removed = await store.removePerson({ name, by: run.by(), evenLastEditor: run.args.isSet('last-editor') })
    if (removed.kind === 'last editor') {
      throw new CommandError(
        'This is the last editor. Invite another one first, or add --last-editor to leave the desk without one.',
      )
    }
    if (removed.kind !== 'removed') throw unknownName()
    await run.notes.write(`${plain(removed.name)} was removed: ${pluralize(removed.sessions, 'session')} ended.\n`)
  },
}

function unknownName(): CommandError {
  return new CommandError(`No one by that name has been invited. See ${LEADS} people`)
}

function readName({ positionals: [name = ''] }: ParsedArgs): string {
  if (/^\P{Cc}{1,80}$/u.test(name.trim())) return name.trim()
  throw new UsageError('A name must have 1 to 80 characters, on one line.')
}

function describeInvitation({ person, known }: Awaited<ReturnType<Store['invite']>>): string {
  const consequence = {
    new: '',
    invited: ' The previous link no longer works.',
    registered: ' Using the link replaces all their passkeys and ends all their sessions.',
    removed: ' They were removed; using the link restores their access.',
  }[known]
  return `${person.name} has been invited as ${roleNames[person.role].a}.${consequence} This personal link works once`
}
