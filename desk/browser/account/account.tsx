/** One's own page: the passkeys one has, a second one in case a device is lost, and until when one is signed in. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { PasskeyList, PasskeySummary } from '../../api/session.ts'
import { ask, messageOf } from '../client.ts'
import { addPasskey, canUsePasskeys, whyNot } from '../passkeys.ts'
import { queryKeys } from '../query-keys.ts'
import { sessionQuery, useSession } from '../session.ts'
import { Page } from '../shell/page.tsx'
import { useTimes } from '../times.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Problem } from '../ui/problem.tsx'
import { LoadingText, Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'

export function Account() {
  const session = useSession()
  const times = useTimes()
  return (
    <Page title="You">
      <div className="grid max-w-3xl gap-5">
        <Card title="Signed in">
          <Facts>
            <Fact name="Name">{session.name}</Fact>
            <Fact name="You may">
              {session.role === 'editor'
                ? 'Look at leads, and act for them'
                : 'Look at leads; you cannot change anything'}
            </Fact>
            <Fact name="Until">{times.full(session.endsAt)}</Fact>
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
  const [removing, setRemoving] = useState<PasskeySummary | null>(null)
  const list = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: ({ signal }) => ask<PasskeyList>('/api/session/passkeys', { signal }),
  })
  function show(passkeys: PasskeyList): void {
    client.setQueryData(queryKeys.passkeys, passkeys)
    client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: passkeys => {
      show(passkeys)
      toast({ text: 'The new passkey is ready.' })
    },
  })
  const passkeys = list.data?.passkeys
  return (
    <Card
      title="Passkeys"
      note="With one alone, a lost device locks you out until you are invited again. Two are better."
    >
      {list.isError ? (
        <Problem title="Your passkeys could not be read" onRetry={() => list.refetch()}>
          {messageOf(list.error)}
        </Problem>
      ) : passkeys === undefined ? (
        <>
          <LoadingText what="your passkeys" />
          <Skeleton className="h-12" />
        </>
      ) : passkeys.length === 0 ? (
        <p>{demo ? 'The demo needs none.' : 'You have none.'}</p>
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
      )}
      {add.isError ? (
        <div className="mt-4">
          <Problem title="No passkey was made">{whyNot(add.error)}</Problem>
        </div>
      ) : null}
      {canUsePasskeys() && !demo ? (
        <Button
          className="mt-4"
          busy={add.isPending}
          icon={<KeyRound aria-hidden size={18} />}
          onClick={() => add.mutate()}
        >
          {add.isPending ? 'Waiting for your device …' : 'Add a passkey'}
        </Button>
      ) : null}
      {removing ? (
        <RemoveDialog
          passkey={removing}
          onRemoved={left => {
            show(left)
            setRemoving(null)
            toast({ text: 'The passkey is gone.' })
          }}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </Card>
  )
}

interface PasskeyLineProps {
  readonly passkey: PasskeySummary
  readonly alone: boolean
  readonly onRemove: () => void
}

function PasskeyLine({ passkey: { addedAt, lastUsedAt, synced }, alone, onRemove }: PasskeyLineProps) {
  const times = useTimes()
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 first:border-0">
      <KeyRound aria-hidden size={18} className="shrink-0 text-ink-soft" />
      <p className="min-w-0 flex-1">
        {synced ? 'Kept by your account, on all of its devices' : 'On one device alone'}
        <span className="block text-small text-ink-soft">
          Made {times.short(addedAt)}, {lastUsedAt === null ? 'not used since' : `last used ${times.short(lastUsedAt)}`}
        </span>
      </p>
      {alone ? null : (
        <button
          type="button"
          aria-label={`Remove the passkey made ${times.short(addedAt)}`}
          className="grid size-11 place-items-center rounded-lg hover:bg-mist"
          onClick={onRemove}
        >
          <Trash2 aria-hidden size={18} />
        </button>
      )}
    </li>
  )
}

interface RemoveDialogProps {
  readonly passkey: PasskeySummary
  readonly onRemoved: (left: PasskeyList) => void
  readonly onClose: () => void
}

function RemoveDialog({ passkey, onRemoved, onClose }: RemoveDialogProps) {
  const times = useTimes()
  const remove = useMutation({
    mutationFn: () => ask<PasskeyList>(`/api/session/passkeys/${encodeURIComponent(passkey.id)}`, { method: 'DELETE' }),
    onSuccess: onRemoved,
  })
  return (
    <Dialog title="Remove a passkey" onClose={onClose}>
      <p>The passkey made {times.short(passkey.addedAt)} cannot be used to sign in any more. This cannot be undone.</p>
      {remove.isError ? (
        <div className="mt-4">
          <Problem title="It was not removed">{messageOf(remove.error)}</Problem>
        </div>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </DialogActions>
    </Dialog>
  )
}
