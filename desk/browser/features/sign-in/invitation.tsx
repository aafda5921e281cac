/** An invitation: create a passkey and sign in. The token is after the #, which servers never see. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { type Invitation as InvitationData, messageOf, Refused } from '../../client.ts'
import { acceptInvitation, canUsePasskeys, readInvitation, whyNot } from '../../passkeys.ts'
import { queryKeys } from '../../query-keys.ts'
import { useSetSession } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { AuthLayout, WithoutPasskeys } from './auth-layout.tsx'

export function Invitation() {
  const [token] = useState(() => location.hash.slice(1))
  // The link works for an hour: it must not stay in the address bar or history of a shared computer.
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
      <AuthLayout title="Invitation">
        <Problem title="This invitation doesn’t work" onRetry={lost ? () => invitation.refetch() : undefined}>
          {token === '' ? 'The link is incomplete. Open it exactly as you received it.' : messageOf(invitation.error)}
        </Problem>
        <ButtonLink href="/">Go to sign-in</ButtonLink>
      </AuthLayout>
    )
  }
  if (!invitation.data) {
    return (
      <AuthLayout title="Invitation">
        <LoadingText what="your invitation" />
        <Skeleton />
        <Skeleton className="h-14 w-full" />
      </AuthLayout>
    )
  }
  return <Welcome token={token} invitation={invitation.data} onStale={() => invitation.refetch()} />
}

interface WelcomeProps {
  readonly token: string
  readonly invitation: InvitationData
  /** A challenge works for one attempt only. */
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
    <AuthLayout title={`Welcome, ${invitation.name}`}>
      <p>
        {invitation.role === 'editor'
          ? 'You’re invited as an editor: you can view and change leads.'
          : 'You’re invited as a viewer: you can view leads, but not change them.'}
      </p>
      <p>Create a passkey on this device. It replaces a password: you sign in with your fingerprint, face, or PIN.</p>
      {invitation.replaces ? (
        <p className="rounded-xl border border-amber-edge bg-amber p-4 text-amber-ink">
          You already have a passkey. The new one replaces it and signs you out everywhere else.
        </p>
      ) : null}
      {attempt.isError ? <Problem title="No passkey was created">{whyNot(attempt.error)}</Problem> : null}
      {canUsePasskeys() ? (
        <Button
          kind="primary"
          busy={attempt.isPending}
          icon="key"
          className="min-h-14"
          onClick={() => attempt.mutate()}
        >
          {attempt.isPending ? 'Waiting for your device…' : 'Create passkey and sign in'}
        </Button>
      ) : (
        <WithoutPasskeys />
      )}
    </AuthLayout>
  )
}
