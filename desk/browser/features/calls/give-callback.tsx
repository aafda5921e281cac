/** A promised callback goes to a colleague: agents give away their own, editors anyone's. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { languageName } from '../../../../domain/languages.ts'
import { useHasRole } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { giveCallback, useCallsChanged, useColleagues } from './call-queries.ts'

interface GiveCallbackProps {
  readonly leadId: string
  /** That the person speaks. */
  readonly language: string
}

export function GiveCallback(props: GiveCallbackProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {' '}
      <LinkButton onClick={() => setOpen(true)}>Give to…</LinkButton>
      {isOpen ? <GiveDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const NOBODY = ''

function GiveDialog({ leadId, language, onClose }: GiveCallbackProps & { readonly onClose: () => void }) {
  const changed = useCallsChanged()
  const toast = useToast()
  const isEditor = useHasRole('editor')
  const colleagues = useColleagues().data ?? []
  const [to, setTo] = useState(NOBODY)
  const [isMissing, setMissing] = useState(false)
  const speaks = ({ languages }: (typeof colleagues)[number]) => Number(languages.includes(language))
  const speakersFirst = colleagues.toSorted((one, other) => speaks(other) - speaks(one))
  const give = useMutation({
    mutationFn: () => giveCallback(leadId, to),
    onSuccess: () => {
      onClose()
      void changed()
      const name = colleagues.find(({ id }) => id === to)?.name
      toast({
        text: `The callback is ${name}’s now. Let them know.`,
        undo: async () => {
          await giveCallback(leadId, null)
          await changed()
          return undefined
        },
      })
    },
  })
  return (
    <ConfirmDialog
      title="Who will call back?"
      button="Give"
      {...progressOf(give)}
      onConfirm={() => {
        setMissing(to === NOBODY)
        if (to !== NOBODY) give.mutate()
      }}
      onClose={onClose}
    >
      <p>
        {isEditor ? 'All callbacks' : 'All your callbacks'} to this number become theirs. The promised times stay as
        they are.
      </p>
      <Select
        label="Colleague"
        hint={`The person speaks ${languageName(language)}.`}
        error={isMissing && to === NOBODY ? 'Choose a colleague.' : undefined}
        value={to}
        choices={[
          [NOBODY, 'Choose…'],
          ...speakersFirst.map(
            ({ id, name, languages }) => [id, `${name} (${languages.map(languageName).join(', ')})`] as const,
          ),
        ]}
        onChoose={setTo}
      />
    </ConfirmDialog>
  )
}
