/** Signing in with a passkey, and accepting an invitation by creating one. */
import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { roleNames } from '../../../../domain/roles.ts'
import { ApiError, type Invitation as InvitationData, messageOf } from '../../client.ts'
import { acceptInvitation, canUsePasskeys, explainError, readInvitation, signIn } from '../../passkeys.ts'
import { queryKeys } from '../../query-keys.ts'
import { navigate } from '../../router.tsx'
import { sessionEnded, useSetSession } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Callout, Loading, Problem } from '../../ui/placeholders.tsx'

export function SignIn() {
  const setSession = useSetSession()
  const ended = useQuery(sessionEnded).data
  const attempt = useMutation({ mutationFn: signIn, onSuccess: setSession })
  return (
    <AuthLayout title="Sign in">
      {ended ? <p className="rounded-xl bg-sage p-3 font-bold">Your session has ended. Sign in to continue.</p> : null}
      <PasskeyStep
        attempt={attempt}
        failed="Sign-in failed"
        waiting="Waiting for your passkey…"
        button="Sign in with passkey"
      >
        <p>Use your fingerprint, face, or device PIN. No password needed.</p>
      </PasskeyStep>
      <details className="text-small">
        <summary className="min-h-6 font-bold">Trouble signing in, or using a new device?</summary>
        <p className="mt-2">
          Ask the person who invited you for a new invitation. It replaces your passkeys and signs you out everywhere.
        </p>
      </details>
    </AuthLayout>
  )
}

export function Invitation() {
  const [token] = useState(() => location.hash.slice(1))
  // The link works for an hour, so it must not linger in a shared computer's address bar or history.
  useEffect(() => history.replaceState(history.state, '', '/invitation'), [])
  const invitation = useQuery({
    queryKey: queryKeys.invitation,
    queryFn: () => readInvitation(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (token === '' || invitation.isError) {
    const isOffline = token !== '' && invitation.error instanceof ApiError && invitation.error.code === 'not connected'
    return (
      <AuthLayout title="Invitation">
        <Problem
          title={isOffline ? 'Couldn’t load your invitation' : 'This invitation doesn’t work'}
          onRetry={isOffline ? () => invitation.refetch() : undefined}
        >
          {token === '' ? 'The link is incomplete. Open it exactly as you received it.' : messageOf(invitation.error)}
        </Problem>
        <ButtonLink href="/">Go to sign-in</ButtonLink>
      </AuthLayout>
    )
  }
  if (!invitation.data) {
    return (
      <AuthLayout title="Invitation">
        <Loading what="your invitation" />
      </AuthLayout>
    )
  }
  return <Welcome token={token} invitation={invitation.data} />
}

interface WelcomeProps {
  readonly token: string
  readonly invitation: InvitationData
}

function Welcome({ token, invitation }: WelcomeProps) {
  const setSession = useSetSession()
  const attempt = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: session => {
      setSession(session)
      navigate('/', { replace: true })
    },
  })
  return (
    <AuthLayout title={`Welcome, ${invitation.name}`}>
      <p>
        You’ve been invited as {roleNames[invitation.role].a}: you can {roleNames[invitation.role].can}.
      </p>
      <p>Create a passkey on this device. You’ll sign in with your fingerprint, face, or PIN instead of a password.</p>
      {invitation.replaces ? (
        <p className="rounded-xl border border-amber-edge bg-amber p-4 text-amber-ink">
          You already have a passkey. The new one replaces it and signs you out everywhere else.
        </p>
      ) : null}
      <PasskeyStep
        attempt={attempt}
        failed="Couldn’t create a passkey"
        waiting="Waiting for your device…"
        button="Create passkey and sign in"
      />
    </AuthLayout>
  )
}

function AuthLayout({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Desk`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center px-[min(1rem,16px)] py-10">
      <p className="mb-4 font-heading text-[1.375rem] font-[650] text-ink-soft">Desk</p>
      <div className="flex flex-col gap-5 rounded-2xl border border-line bg-card p-[min(1.5rem,24px)] shadow-card sm:p-8">
        <h1 tabIndex={-1} className="text-heading">
          {title}
        </h1>
        {children}
      </div>
    </main>
  )
}

interface PasskeyStepProps {
  readonly attempt: Pick<UseMutationResult<unknown, unknown, void>, 'isPending' | 'isError' | 'error' | 'mutate'>
  readonly failed: string
  readonly waiting: string
  readonly button: string
  readonly children?: ReactNode
}

function PasskeyStep({ attempt, failed, waiting, button, children }: PasskeyStepProps) {
  if (!canUsePasskeys()) {
    return (
      <Callout role="alert" tone="waiting" icon="alert" title="This browser doesn’t support passkeys.">
        Use a current version of Chrome, Edge, Safari, or Firefox, at an address that starts with https.
      </Callout>
    )
  }
  return (
    <>
      {children}
      {attempt.isError ? <Problem title={failed}>{explainError(attempt.error)}</Problem> : null}
      <Button kind="primary" busy={attempt.isPending} icon="key" className="min-h-14" onClick={() => attempt.mutate()}>
        {attempt.isPending ? waiting : button}
      </Button>
    </>
  )
}
