/** Messages that didn't go out. Editors send them again, or check them off. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { useHasRole } from '../../session.ts'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/placeholders.tsx'

type Action = 'resend' | 'dismiss'

interface UndeliveredProps {
  readonly messages: readonly {
    readonly id: string
    readonly createdAt: number
    readonly about: ReactNode
    readonly canResend: boolean
  }[]
  /** The button that checks one off. */
  readonly dismiss: string
  readonly onDone?: (action: Action) => void
}

export function Undelivered({ messages, dismiss, onDone }: UndeliveredProps) {
  const client = useQueryClient()
  const times = useTimes()
  const isEditor = useHasRole('editor')
  const change = useMutation({
    mutationFn: ({ action, id }: { readonly action: Action; readonly id: string }) =>
      unwrap(api.health.events[action].$post({ json: { ids: [id] } })),
    onSuccess: (health, { action }) => {
      client.setQueryData(queryKeys.health, health)
      onDone?.(action)
    },
  })
  return (
    <>
      <ul className="mt-3 grid gap-3 empty:hidden">
        {messages.map(({ id, createdAt, about, canResend }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              {about}
              <span className="text-ink-soft">, {times.short(createdAt)}</span>
            </span>
            {isEditor ? (
              <span className="flex gap-2 print:hidden">
                {canResend ? (
                  <Button icon="send" onClick={() => change.mutate({ action: 'resend', id })}>
                    Send again
                  </Button>
                ) : null}
                <Button icon="check" onClick={() => change.mutate({ action: 'dismiss', id })}>
                  {dismiss}
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      <Failed request={change} />
    </>
  )
}
