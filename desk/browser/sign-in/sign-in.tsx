/** Signing in with a passkey. The address stays, so that whoever followed a link to a lead gets there. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { canUsePasskeys, signIn, whyNot } from '../passkeys.ts'
import { sessionEnded, useSetSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { Door, WithoutPasskeys } from './door.tsx'

export function SignIn() {
  const setSession = useSetSession()
  const ended = useQuery(sessionEnded).data
  const attempt = useMutation({ mutationFn: signIn, onSuccess: setSession })
  return (
    <Door title="Sign in">
      {ended ? <p className="rounded-xl bg-sage p-3 font-bold">Your session has ended. Sign in to go on.</p> : null}
      {canUsePasskeys() ? (
        <>
          <p>Your device asks for your fingerprint, your face or its PIN. There is no password.</p>
          {attempt.isError ? <Problem title="You are not signed in">{whyNot(attempt.error)}</Problem> : null}
          <Button
            kind="primary"
            busy={attempt.isPending}
            icon={<KeyRound aria-hidden size={18} />}
            className="min-h-14"
            onClick={() => attempt.mutate()}
          >
            {attempt.isPending ? 'Waiting for your passkey …' : 'Sign in with your passkey'}
          </Button>
        </>
      ) : (
        <WithoutPasskeys />
      )}
      <details className="text-small">
        <summary className="min-h-6 font-bold">It does not work, or you have a new device</summary>
        <p className="mt-2">
          Ask whoever runs this service for a new invitation. It replaces the passkeys you have, and ends every session
          of yours.
        </p>
      </details>
    </Door>
  )
}
