/** The time where someone is, and the language they speak: agents correct both. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type CallLanguage, callLanguages } from '../../../../domain/calling/list.ts'
import { languageName } from '../../../../domain/languages.ts'
import { type CallState, messageOf } from '../../client.ts'
import { useSession } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { setLanguage, setPlace, useCallsChanged, usePlaces } from './call-queries.ts'
import { localTimeLabel } from './local-time.tsx'

interface WhereaboutsProps {
  readonly leadId: string
  readonly state: CallState
}

export function Whereabouts({ leadId, state }: WhereaboutsProps) {
  const { ignoresCallingHours } = useSession()
  const [isChanging, setChanging] = useState(false)
  return (
    <div className="min-w-0 flex-[1_1_13rem] leading-tight">
      <p className="font-bold">
        {localTimeLabel(state.place, state.at)}
        {state.place ? ', their time' : ''}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-soft">
        {state.placeHow}
        <LinkButton onClick={() => setChanging(true)}>
          Change<span className="sr-only"> where they are</span>
        </LinkButton>
      </p>
      {ignoresCallingHours ? <p className="text-small">This demo ignores calling hours.</p> : null}
      {isChanging ? <PlaceDialog leadId={leadId} state={state} onClose={() => setChanging(false)} /> : null}
    </div>
  )
}

interface PlaceDialogProps extends WhereaboutsProps {
  readonly onClose: () => void
}

const AREA_CODE = ''

function PlaceDialog({ leadId, state, onClose }: PlaceDialogProps) {
  const changed = useCallsChanged()
  const places = usePlaces().data ?? []
  const [chosen, setChosen] = useState(state.chosenPlace ?? AREA_CODE)
  const save = useMutation({
    mutationFn: () => setPlace(leadId, chosen === AREA_CODE ? null : chosen),
    onSuccess: () => {
      onClose()
      void changed()
    },
  })
  return (
    <ConfirmDialog
      title="Where are they?"
      button="Save"
      {...progressOf(save)}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <p>People keep their number when they move. This applies to every lead with this number.</p>
      <Select
        label="State"
        value={chosen}
        choices={[[AREA_CODE, 'Use the area code'], ...places.map(({ id, label }) => [id, label] as const)]}
        onChoose={setChosen}
      />
    </ConfirmDialog>
  )
}

export function LanguageChoice({ leadId, language }: { readonly leadId: string; readonly language: string }) {
  const changed = useCallsChanged()
  const change = useMutation({ mutationFn: (to: CallLanguage) => setLanguage(leadId, to), onSuccess: changed })
  return (
    <div className="w-52 max-w-full sm:-my-2 [&>div]:flex [&>div]:items-center [&>div]:gap-3 [&_label]:mb-0 [&_label]:shrink-0">
      <Select
        label="Speaks"
        value={language}
        choices={callLanguages.map(each => [each, languageName(each)] as const)}
        onChoose={to => change.mutate(to as CallLanguage)}
      />
      {change.isError ? <p className="font-bold text-error">{messageOf(change.error)}</p> : null}
    </div>
  )
}
