/** A promised callback goes to a colleague: agents give away their own, editors anyone's. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkButton } from '../../ui/button.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { giveCallback, useCallsChanged, useColleagues } from './call-queries.ts'

export function GiveCallback({ leadId }: { readonly leadId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {' '}
      <LinkButton onClick={() => setOpen(true)}>Give to…</LinkButton>
      {isOpen ? <GiveDialog leadId={leadId} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const NOBODY = ''

function GiveDialog({ leadId, onClose }: { readonly leadId: string; readonly onClose: () => void }) {
  const changed = useCallsChanged()
  const colleagues = useColleagues().data ?? []
  const [to, setTo] = useState(NOBODY)
  const give = useMutation({
    mutationFn: () => giveCallback(leadId, to),
    onSuccess: () => {
      onClose()
      void changed()
    },
  })
  return (
    <ConfirmDialog
      title="Who will call back?"
      button="Give"
      {...progressOf(give)}
      onConfirm={() => {
        if (to !== NOBODY) give.mutate()
      }}
      onClose={onClose}
    >
      <p>They get every callback promised for this number, at the promised time. Tell them.</p>
      <Select
        label="Colleague"
        value={to}
        choices={[[NOBODY, 'Choose…'], ...colleagues.map(({ id, name }) => [id, name] as const)]}
        onChoose={setTo}
      />
    </ConfirmDialog>
  )
}
