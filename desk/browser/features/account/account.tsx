/** Your account: who you are, until when you are signed in, and your passkeys. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api, messageOf, type Passkeys as PasskeyList } from '../../client.ts'
import { addPasskey, canUsePasskeys, whyNot } from '../../passkeys.ts'
import { queryKeys } from '../../query-keys.ts'
import { useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { AskDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded, Problem, Skeleton } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'

type Passkey = PasskeyList['passkeys'][number]

export function Account() {
  const session = useSession()
  const times = useTimes()
  return (
    <Page title="Your account">
      <div className="grid max-w-3xl gap-5">
        <Card title="Account">
          <Facts>
            <Fact name="Name">{session.name}</Fact>
            <Fact name="Role">
              {session.role === 'editor' ? 'Editor: view and change leads' : 'Viewer: view leads'}
            </Fact>
            <Fact name="Signed in until">{times.full(session.endsAt)}</Fact>
          </Facts>
        </Card>
        <Passkeys />
      </div>
    </Page>
  )
}

function Passkeys() {
  const client = useQueryClient()
  const toast = useToast()
  const { demo } = useSession()
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const list = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: ({ signal }) => answer(api.session.passkeys.$get({}, { init: { signal } })),
  })
  const show = (passkeys: PasskeyList) => client.setQueryData(queryKeys.passkeys, passkeys)
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: passkeys => {
      show(passkeys)
      toast({ text: 'Passkey added.' })
    },
  })
  return (
    <Card title="Passkeys" note="Add a second passkey so you aren’t locked out if you lose your device.">
      <Loaded query={list} what="your passkeys" outline={<Skeleton className="h-12" />}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <p>{demo ? 'The demo doesn’t need any.' : 'None yet.'}</p>
          ) : (
            <ul className="flex flex-col">
              {passkeys.map(passkey => (
                <PasskeyLine
                  key={passkey.id}
                  passkey={passkey}
                  alone={passkeys.length === 1}
                  onRemove={() => setRemoving(passkey)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {add.isError ? (
        <div className="mt-4">
          <Problem title="No passkey was added">{whyNot(add.error)}</Problem>
        </div>
      ) : null}
      {canUsePasskeys() && !demo ? (
        <Button className="mt-4" busy={add.isPending} icon="key" onClick={() => add.mutate()}>
          {add.isPending ? 'Waiting for your device…' : 'Add a passkey'}
        </Button>
      ) : null}
      {removing ? (
        <RemoveDialog
          passkey={removing}
          onRemoved={left => {
            show(left)
            setRemoving(null)
            toast({ text: 'Passkey removed.' })
          }}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </Card>
  )
}

interface PasskeyLineProps {
  readonly passkey: Passkey
  readonly alone: boolean
  readonly onRemove: () => void
}

function PasskeyLine({ passkey: { addedAt, lastUsedAt, synced }, alone, onRemove }: PasskeyLineProps) {
  const times = useTimes()
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 first:border-0">
      <Icon name="key" className="text-ink-soft" />
      <p className="min-w-0 flex-1">
        {synced ? 'Synced to all your devices' : 'On one device only'}
        <span className="block text-small text-ink-soft">
          Added {times.short(addedAt)}, {lastUsedAt === null ? 'never used' : `last used ${times.short(lastUsedAt)}`}
        </span>
      </p>
      {alone ? null : (
        <button
          type="button"
          aria-label={`Remove the passkey added ${times.short(addedAt)}`}
          className="grid size-11 place-items-center rounded-lg hover:bg-mist"
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      )}
    </li>
  )
}

interface RemoveDialogProps {
  readonly passkey: Passkey
  readonly onRemoved: (left: PasskeyList) => void
  readonly onClose: () => void
}

function RemoveDialog({ passkey, onRemoved, onClose }: RemoveDialogProps) {
  const times = useTimes()
  const remove = useMutation({
    mutationFn: () => answer(api.session.passkeys[':id'].$delete({ param: { id: passkey.id } })),
    onSuccess: onRemoved,
  })
  return (
    <AskDialog
      title="Remove passkey"
      button="Remove"
      kind="danger"
      busy={remove.isPending}
      failed={remove.isError ? messageOf(remove.error) : null}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>You won’t be able to sign in with the passkey added {times.short(passkey.addedAt)}. This can’t be undone.</p>
    </AskDialog>
  )
}
