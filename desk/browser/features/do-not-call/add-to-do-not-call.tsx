/** A button that adds what someone searched for: a caller who said stop may have no lead, or one that can't be found. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { parseDoNotCall } from '../../../../domain/do-not-call.ts'
import { formatPhone } from '../../../../domain/phone.ts'
import { api, messageOf, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'

interface AddToDoNotCallProps {
  /** A phone number or an email address. */
  readonly typed: string
  readonly onAdded?: () => void
}

export const addEntry = (contact: string) => unwrap(api['do-not-call'].$post({ json: { contact } }))

/** What happens in a CRM that already has the person's lead. */
const crmNotices = {
  told: 'Your CRM has this person’s lead and will be told not to call.',
  'to tell': 'Your CRM has this person’s lead. Stop calls there, too.',
} as const

/** Refetches whatever shows who is on the list. */
export function useListChanged(): () => void {
  const client = useQueryClient()
  return () => {
    client.invalidateQueries({ queryKey: queryKeys.live })
    client.invalidateQueries({ queryKey: queryKeys.lists })
  }
}

export function AddToDoNotCall({ typed, onAdded }: AddToDoNotCallProps) {
  const toast = useToast()
  const changed = useListChanged()
  const add = useMutation({
    mutationFn: addEntry,
    onSuccess: ({ isNew, crm }, contact) => {
      const done = isNew ? 'Added to the do-not-call list.' : 'Already on the do-not-call list.'
      toast({
        text: crm === null ? done : `${done} ${crmNotices[crm]}`,
        undo: isNew ? () => unwrap(api['do-not-call'].undo.$post({ json: { contact } })).then(changed) : undefined,
      })
      onAdded?.()
      changed()
    },
    onError: error => toast({ text: `That didn’t work. ${messageOf(error)}`, tone: 'bad' }),
  })
  const contact = parseDoNotCall(typed)
  if (!contact) return null
  const shown = 'phone' in contact ? formatPhone(contact.phone) : contact.email
  return (
    <Button icon="phone-off" busy={add.isPending} onClick={() => add.mutate(typed)}>
      Add <bdi>{shown}</bdi> to the do-not-call list
    </Button>
  )
}
