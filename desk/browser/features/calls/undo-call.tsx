/** One's own outcome can be undone for an hour. The form to say what happened opens again, with the note. */
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../client.ts'
import { Button } from '../../ui/button.tsx'
import { useUndoCall } from './call-queries.ts'

export function UndoCall({ callId }: { readonly callId: string }) {
  const undoCall = useUndoCall()
  const undo = useMutation({ mutationFn: () => undoCall(callId) })
  return (
    <span className="print:hidden">
      <Button busy={undo.isPending} onClick={() => undo.mutate()}>
        Undo this outcome
      </Button>
      {undo.isError ? <span className="font-bold text-error">{messageOf(undo.error)}</span> : null}
    </span>
  )
}
