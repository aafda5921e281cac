/** Leads that came in while there was no webhook: an editor decides whether to send them. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, type Health, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { useHasRole } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

const choices = {
  all: { button: 'Send all', effect: 'All of them are sent to your CRM, except people on the do-not-call list.' },
  'never called': {
    button: 'Send those never called',
    effect: 'Only leads that nobody has called yet are sent to your CRM.',
  },
  none: { button: 'Send none', effect: 'They stay in the desk and are never sent.' },
} as const
type Choice = keyof typeof choices

export function UnqueuedLeads({ health: { deliveries } }: { readonly health: Health }) {
  const client = useQueryClient()
  const toast = useToast()
  const isEditor = useHasRole('editor')
  const [choice, setChoice] = useState<Choice | null>(null)
  const decide = useMutation({
    mutationFn: (chosen: Choice) => unwrap(api.health.unqueued.$post({ json: { choice: chosen } })),
    onSuccess: health => {
      client.setQueryData(queryKeys.health, health)
      setChoice(null)
      toast({ text: 'Your decision is recorded.' })
    },
  })
  if (deliveries.unqueued === 0) return null
  return (
    <Card title="Leads from before you connected a CRM">
      <p>
        {pluralize(deliveries.unqueued, 'lead')} came in before a CRM was connected, so your CRM doesn’t have them.
        Nothing is sent until an editor decides.
      </p>
      {isEditor ? (
        <div className="mt-3 flex flex-wrap gap-2.5 print:hidden">
          {(Object.keys(choices) as readonly Choice[]).map(name => (
            <Button key={name} onClick={() => setChoice(name)}>
              {choices[name].button}
            </Button>
          ))}
        </div>
      ) : null}
      {choice === null ? null : (
        <ConfirmDialog
          title={choices[choice].button}
          button={choices[choice].button}
          {...progressOf(decide)}
          onConfirm={() => decide.mutate(choice)}
          onClose={() => setChoice(null)}
        >
          <p>{choices[choice].effect} This can’t be undone.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
