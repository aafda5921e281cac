/** People, for editors: who can sign in to the desk, when they were last there, and what changed. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callGroups } from '../../../../domain/calling/list.ts'
import { languageName } from '../../../../domain/languages.ts'
import { roleNames } from '../../../../domain/roles.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, type People as PeopleData, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Folded } from '../../ui/card.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Callout, Loaded } from '../../ui/placeholders.tsx'
import {
  InviteDialog,
  LinkDialog,
  LostDeviceDialog,
  type NewLink,
  NewLinkDialog,
  type Person,
  RemoveDialog,
  RoleDialog,
  SignOutDialog,
} from './dialogs.tsx'

interface Opened {
  readonly kind: 'invite' | 'role' | 'link' | 'lost device' | 'sign out' | 'remove'
  readonly person: Person | null
}

export function People() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [link, setLink] = useState<NewLink | null>(null)
  const people = useQuery({
    queryKey: queryKeys.people,
    queryFn: ({ signal }) => unwrap(api.people.$get({}, { init: { signal } })),
  })
  const close = () => setOpened(null)
  const showLink = (created: NewLink) => {
    close()
    setLink(created)
  }
  return (
    <div className="max-w-5xl">
      <Page
        title="People"
        aside={
          <Button kind="primary" icon="key" onClick={() => setOpened({ kind: 'invite', person: null })}>
            Invite someone…
          </Button>
        }
      >
        <Loaded query={people} what="the people">
          {({ people: everyone, changes }) => {
            const removed = everyone.filter(({ status }) => status === 'removed')
            return (
              <div className="grid gap-4 sm:gap-5">
                <CallbacksLeft people={removed} />
                <Card
                  title="Who can sign in"
                  note="Someone left? Remove them. A lost phone or laptop? Choose Lost device."
                >
                  <PeopleList people={everyone.filter(person => !removed.includes(person))} onOpen={setOpened} />
                </Card>
                {removed.length === 0 ? null : (
                  <Folded title="Removed" summary={removed.map(({ name }) => name).join(', ')}>
                    <PeopleList people={removed} onOpen={setOpened} />
                  </Folded>
                )}
                <Changes changes={changes} />
              </div>
            )
          }}
        </Loaded>
        {opened?.kind === 'invite' ? <InviteDialog again={opened.person} onLink={showLink} onClose={close} /> : null}
        {opened?.kind === 'role' && opened.person ? <RoleDialog person={opened.person} onClose={close} /> : null}
        {opened?.kind === 'link' && opened.person ? (
          <NewLinkDialog person={opened.person} onLink={showLink} onClose={close} />
        ) : null}
        {opened?.kind === 'lost device' && opened.person ? (
          <LostDeviceDialog person={opened.person} onLink={showLink} onClose={close} />
        ) : null}
        {opened?.kind === 'sign out' && opened.person ? <SignOutDialog person={opened.person} onClose={close} /> : null}
        {opened?.kind === 'remove' && opened.person ? <RemoveDialog person={opened.person} onClose={close} /> : null}
        {link ? <LinkDialog created={link} onClose={() => setLink(null)} /> : null}
      </Page>
    </div>
  )
}

/** Until someone makes them or they're given to a colleague. */
function CallbacksLeft({ people }: { readonly people: readonly Person[] }) {
  const { callList } = useSession()
  const left = people.filter(({ callbacks }) => callbacks > 0)
  if (left.length === 0 || !callList) return null
  const each = left.map(({ name, callbacks }) => `${pluralize(callbacks, 'callback')} that ${name} promised`)
  return (
    <Callout icon="clock" tone="waiting" title={`Still to make: ${new Intl.ListFormat('en-US').format(each)}`}>
      Anyone can make them at the promised time. To give one to a colleague, open it in{' '}
      <Link href="/calls?only=left" className="underline underline-offset-4">
        {callGroups.left}
      </Link>{' '}
      and choose Give to.
    </Callout>
  )
}

interface PeopleListProps {
  readonly people: readonly Person[]
  readonly onOpen: (opened: Opened) => void
}

function PeopleList({ people, onOpen }: PeopleListProps) {
  return (
    <ul>
      {people.map(person => (
        <li
          key={person.name}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-2.5 first:border-0"
        >
          <div className="min-w-0 flex-[1_1_9rem]">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <bdi className="font-bold">{person.name}</bdi>
              {person.isYou ? <span className="text-small text-ink-soft">(you)</span> : null}
              <Status person={person} />
            </p>
            <p className="text-small text-ink-soft">
              <span className="capitalize">{person.role}</span> · {person.languages.map(languageName).join(', ')} ·{' '}
              <LastActive at={person.lastActiveAt} />
            </p>
          </div>
          <PersonMenu person={person} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

function Status({ person: { status, linkExpiresAt, isSignedIn, lastActiveAt } }: { readonly person: Person }) {
  const times = useTimes()
  const pending =
    linkExpiresAt === null ? null : (
      <Badge tone="waiting" icon="key">
        {lastActiveAt === null ? 'Invited' : 'New link'}, until {times.time(linkExpiresAt)}
      </Badge>
    )
  if (status === 'link expired') {
    return (
      <Badge tone="bad" icon="clock">
        {lastActiveAt === null ? 'Never signed in, link expired' : 'Can’t sign in, link expired'}
      </Badge>
    )
  }
  return (
    <>
      {isSignedIn ? (
        <Badge tone="good" icon="check">
          Signed in
        </Badge>
      ) : null}
      {pending}
    </>
  )
}

function LastActive({ at }: { readonly at: number | null }) {
  const times = useTimes()
  if (at === null) return 'Never active'
  return (
    <time dateTime={new Date(at).toISOString()} title={times.full(at)}>
      Last active {times.short(at)}
    </time>
  )
}

function PersonMenu({ person, onOpen }: { readonly person: Person; readonly onOpen: (opened: Opened) => void }) {
  const label = (
    <>
      Manage<span className="sr-only"> {person.name}</span>
    </>
  )
  if (person.status === 'removed') {
    return (
      <Button onClick={() => onOpen({ kind: 'invite', person })}>
        Invite again…<span className="sr-only"> {person.name}</span>
      </Button>
    )
  }
  const signOut: MenuItem = {
    label: 'Sign out everywhere',
    icon: 'sign-out',
    onChoose: () => onOpen({ kind: 'sign out', person }),
  }
  const lostDevice: MenuItem = {
    label: 'Lost device',
    icon: 'phone-off',
    isDestructive: true,
    onChoose: () => onOpen({ kind: 'lost device', person }),
  }
  return (
    <Menu
      label={label}
      items={[
        { label: 'Change role', icon: 'account', onChoose: () => onOpen({ kind: 'role', person }) },
        { label: 'New link', icon: 'key', onChoose: () => onOpen({ kind: 'link', person }) },
        ...(person.isSignedIn ? [signOut] : []),
        ...(person.status === 'active' && !person.isYou ? [lostDevice] : []),
        { label: 'Remove', icon: 'trash', isDestructive: true, onChoose: () => onOpen({ kind: 'remove', person }) },
      ]}
    />
  )
}

function Changes({ changes }: Pick<PeopleData, 'changes'>) {
  const times = useTimes()
  const [newest] = changes
  if (!newest) return null
  return (
    <Folded title="Changes" summary={`Latest: ${times.short(newest.at)}`}>
      <ol>
        {changes.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two changes can have the same time.
          <li key={index} className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1.5">
            <span>{sentenceOf(change)}</span>
            <time dateTime={new Date(change.at).toISOString()} className="text-small text-ink-soft">
              {times.short(change.at)}
            </time>
          </li>
        ))}
      </ol>
    </Folded>
  )
}

function sentenceOf({ event, name, by, role }: PeopleData['changes'][number]): string {
  const as = role === null ? '' : ` as ${roleNames[role].a}`
  switch (event) {
    case 'invited':
      return `${by} created a link for ${name}${as}.`
    case 'joined':
      return `${name} signed in with a new passkey${as}.`
    case 'added a passkey':
      return `${name} added a passkey.`
    case 'removed a passkey':
      return `${name} removed a passkey.`
    case 'changed role':
      return `${by} made ${name} ${role === null ? 'something else' : roleNames[role].a}.`
    case 'signed out':
      return `${by} signed ${name} out everywhere.`
    case 'blocked devices':
      return `${by} blocked ${name}’s devices.`
    case 'removed':
      return `${by} removed ${name}.`
  }
}
