/** A button that adds what someone searched for: a caller who said stop may have no lead, or one that can't be found. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatPhone } from '../../../../domain/contact/phone.ts'
import { type EnteredStop, parseDoNotCall } from '../../../../domain/do-not-call/do-not-call.ts'
import { api, messageOf, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useHowAsked } from './how-asked.tsx'

interface AddToDoNotCallProps {
  /** A phone number or an email address. */
  readonly typed: string
  readonly onAdded?: () => void
  /** Whether to ask how the request came in. If not, they're on the phone. */
  readonly asksHow?: boolean
}

const addStop = (json: { readonly contact: string; readonly asked: EnteredStop }) =>
  unwrap(api['do-not-call'].$post({ json }))

/** Refetches whatever shows who is on the list. */
export function useListChanged(): () => void {
  const client = useQueryClient()
  return () => {
    client.invalidateQueries({ queryKey: queryKeys.live })
    client.invalidateQueries({ queryKey: queryKeys.lists })
  }
}

export function AddToDoNotCall({ typed, onAdded, asksHow = false }: AddToDoNotCallProps) {
  const toast = useToast()
  const changed = useListChanged()
  const add = useMutation({
    mutationFn: addStop,
    onSuccess: ({ requestId, notice }) => {
      const done = requestId === null ? 'Already on the do-not-call list.' : 'Added to the do-not-call list.'
      toast({
        text: [done, notice].filter(Boolean).join(' '),
        undo:
          requestId === null
            ? undefined
            : () => unwrap(api['do-not-call'].undo.$post({ json: { requestId } })).finally(changed),
      })
      onAdded?.()
      changed()
    },
    onError: error => toast({ text: `That didn’t work. ${messageOf(error)}`, tone: 'bad' }),
  })
  const how = useHowAsked()
  const contact = parseDoNotCall(typed)
  if (!contact) return null
  const shown = 'phone' in contact ? formatPhone(contact.phone) : contact.email
  return (
    <div className="grid gap-3 text-left">
      {asksHow ? how.field : null}
      <Button
        icon="phone-off"
        busy={add.isPending}
        onClick={() => {
          const asked = how.check()
          if (asked !== null) add.mutate({ contact: typed, asked })
        }}
      >
        <span>
          Add <bdi>{shown}</bdi> to the do-not-call list
        </span>
      </Button>
    </div>
  )
}
