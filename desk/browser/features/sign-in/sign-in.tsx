/** Signing in with a passkey. The address stays, so that a link to a lead still works afterwards. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { canUsePasskeys, signIn, whyNot } from '../../passkeys.ts'
import { sessionEnded, useSetSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { AuthLayout, WithoutPasskeys } from './auth-layout.tsx'

export function SignIn() {
  const setSession = useSetSession()
  const ended = useQuery(sessionEnded).data
  const attempt = useMutation({ mutationFn: signIn, onSuccess: setSession })
  return (
    <AuthLayout title="Sign in">
      {ended ? <p className="rounded-xl bg-sage p-3 font-bold">Your session has ended. Sign in to continue.</p> : null}
      {canUsePasskeys() ? (
        <>
          <p>Use your fingerprint, face, or device PIN. There’s no password.</p>
          {attempt.isError ? <Problem title="Sign-in failed">{whyNot(attempt.error)}</Problem> : null}
          <Button
            kind="primary"
            busy={attempt.isPending}
            icon="key"
            className="min-h-14"
            onClick={() => attempt.mutate()}
          >
            {attempt.isPending ? 'Waiting for your passkey…' : 'Sign in with passkey'}
          </Button>
        </>
      ) : (
        <WithoutPasskeys />
      )}
      <details className="text-small">
        <summary className="min-h-6 font-bold">Trouble signing in, or a new device?</summary>
        <p className="mt-2">
          Ask your administrator for a new invitation. It replaces your passkeys and signs you out everywhere.
        </p>
      </details>
    </AuthLayout>
  )
}
