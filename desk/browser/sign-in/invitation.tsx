/** An invitation: whoever opens its link makes a passkey, and is signed in. The token is behind the #, which no server sees. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { InvitationAnswer } from '../../api/session.ts'
import { messageOf, Refused } from '../client.ts'
import { acceptInvitation, canUsePasskeys, readInvitation, whyNot } from '../passkeys.ts'
import { queryKeys } from '../query-keys.ts'
import { useSetSession } from '../session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { LoadingText, Skeleton } from '../ui/skeleton.tsx'
import { Door, WithoutPasskeys } from './door.tsx'

export function Invitation() {
  const [token] = useState(() => location.hash.slice(1))
  // The link is a key for an hour: it must not stay in the address bar or in the history of a shared computer.
  useEffect(() => history.replaceState(history.state, '', '/invitation'), [])
  const invitation = useQuery({
    queryKey: queryKeys.invitation,
    queryFn: () => readInvitation(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (token === '' || invitation.isError) {
    const lost = token !== '' && invitation.error instanceof Refused && invitation.error.code === 'not connected'
    return (
      <Door title="Invitation">
        <Problem title="This invitation cannot be used" onRetry={lost ? () => invitation.refetch() : undefined}>
          {token === ''
            ? 'The link is not complete. Open it exactly as you were given it.'
            : messageOf(invitation.error)}
        </Problem>
        <ButtonLink href="/">Go to sign-in</ButtonLink>
      </Door>
    )
  }
  if (!invitation.data) {
    return (
      <Door title="Invitation">
        <LoadingText what="your invitation" />
        <Skeleton />
        <Skeleton className="h-14 w-full" />
      </Door>
    )
  }
  return <Welcome token={token} invitation={invitation.data} onStale={() => invitation.refetch()} />
}

interface WelcomeProps {
  readonly token: string
  readonly invitation: InvitationAnswer
  /** The challenge is good for one attempt: the next needs another. */
  readonly onStale: () => void
}

function Welcome({ token, invitation, onStale }: WelcomeProps) {
  const setSession = useSetSession()
  const [, navigate] = useLocation()
  const attempt = useMutation({
    mutationFn: () => acceptInvitation(token, invitation),
    onSuccess: session => {
      setSession(session)
      navigate('/', { replace: true })
    },
    onError: onStale,
  })
  return (
    <Door title={`Welcome, ${invitation.name}`}>
      <p>
        {invitation.role === 'editor'
          ? 'You are invited to the desk: you will see the people who asked for help, and act for them.'
          : 'You are invited to the desk: you will see the people who asked for help. You cannot change anything.'}
      </p>
      <p>
        Make a passkey on this device now. It takes the place of a password: your fingerprint, your face or the device’s
        PIN.
      </p>
      {invitation.replaces ? (
        <p className="rounded-xl border border-amber-edge bg-amber p-4 text-amber-ink">
          You have a passkey already. The new one replaces it, and signs you out everywhere else.
        </p>
      ) : null}
      {attempt.isError ? <Problem title="No passkey was made">{whyNot(attempt.error)}</Problem> : null}
      {canUsePasskeys() ? (
        <Button
          kind="primary"
          busy={attempt.isPending}
          icon={<KeyRound aria-hidden size={18} />}
          className="min-h-14"
          onClick={() => attempt.mutate()}
        >
          {attempt.isPending ? 'Waiting for your device …' : 'Make a passkey and sign in'}
        </Button>
      ) : (
        <WithoutPasskeys />
      )}
    </Door>
  )
}
