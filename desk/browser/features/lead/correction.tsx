/**
 * Corrects what a lead says about its person. What was submitted stays next to it. For another number, the person has to say yes, and
 * another lead takes this one's place.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { contactLabels, fieldLabel } from '../../../../domain/contact/contact-fields.ts'
import { phoneDigits } from '../../../../domain/contact/phone.ts'
import { languageName } from '../../../../domain/languages.ts'
import { api, type Lead, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { navigate } from '../../router.tsx'
import { useTimes } from '../../times.ts'
import { ConfirmDialog, progressOf, useReason } from '../../ui/dialog.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useUnfinishedCalls } from '../calls/call-queries.ts'

const fields = ['firstName', 'lastName', 'dateOfBirth', 'email', 'phone'] as const

interface CorrectionDialogProps {
  readonly lead: Lead
  readonly contact: NonNullable<Lead['contact']>
  readonly onClose: () => void
}

export function CorrectionDialog({ lead, contact, onClose }: CorrectionDialogProps) {
  const client = useQueryClient()
  const isCalling = useUnfinishedCalls().data?.calls.some(({ leadId }) => leadId === lead.id) ?? false
  const toast = useToast()
  const [seen] = useState(() => {
    const { firstName, lastName, dateOfBirth, email, phone } = contact
    return { firstName, lastName, dateOfBirth, email, phone }
  })
  const [typed, setTyped] = useState(seen)
  const [saidYes, setSaidYes] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const reason = useReason({ hint: 'Such as: read back to them on the phone.' })
  const isOtherNumber = phoneDigits(typed.phone) !== phoneDigits(seen.phone)
  const correct = useMutation({
    mutationFn: (why: string) =>
      unwrap(
        api.leads[':id'].correction.$post({
          param: { id: lead.id },
          json: { seen, corrected: typed, reason: why, saidYes: isOtherNumber && saidYes },
        }),
      ),
    onSuccess: result => {
      setErrors(result.errors ?? {})
      if (result.errors !== null) return
      client.setQueryData(queryKeys.lead(result.lead.id), result.lead)
      void client.invalidateQueries({ queryKey: queryKeys.lead(lead.id) })
      void client.invalidateQueries({ queryKey: queryKeys.lists })
      void client.invalidateQueries({ queryKey: queryKeys.calls })
      toast({ text: result.isHeld ? 'Corrected, and on hold: the number is on the do-not-call list.' : 'Corrected.' })
      onClose()
      // Someone on the phone says here what happened.
      if (result.lead.id !== lead.id && !isCalling) navigate(`/leads/${result.lead.id}`)
    },
    // A colleague may have changed the lead first, so show its current state.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.lead(lead.id) }),
  })
  const submit = () => {
    const why = reason.check()
    if (why === null) return
    const missing = isOtherNumber && !saidYes ? { saidYes: 'Ask them, and check the box if they say yes.' } : {}
    setErrors(missing)
    if (Object.keys(missing).length === 0) correct.mutate(why)
  }
  return (
    <ConfirmDialog
      title="Correct contact details"
      button="Save correction"
      {...progressOf(correct)}
      onConfirm={submit}
      onClose={onClose}
    >
      {fields.map(name => (
        <TextField
          key={name}
          label={contactLabels[name]}
          value={typed[name]}
          error={errors[name]}
          type={name === 'dateOfBirth' ? 'date' : 'text'}
          inputMode={name === 'phone' ? 'tel' : name === 'email' ? 'email' : 'text'}
          autoComplete="off"
          onChange={event => setTyped({ ...typed, [name]: event.target.value })}
        />
      ))}
      {isOtherNumber ? (
        <SpokenYes name={contact.firstName} sentence={lead.spokenConsent} error={errors['saidYes']}>
          <Checkbox label="They said yes" checked={saidYes} onChange={setSaidYes} />
        </SpokenYes>
      ) : null}
      {reason.field}
    </ConfirmDialog>
  )
}

interface SpokenYesProps {
  readonly name: string
  readonly sentence: Lead['spokenConsent']
  readonly error: string | undefined
  readonly children: ReactNode
}

/** The sentence to read, in the person's language. */
function SpokenYes({ name, sentence, error, children }: SpokenYesProps) {
  return (
    <fieldset className="rounded-xl border border-line bg-paper p-[min(1rem,16px)]">
      <legend className="px-1 font-bold">
        Read this to <bdi>{name}</bdi> in {languageName(sentence.language)}
      </legend>
      <p lang={sentence.language}>{sentence.text}</p>
      <p className="mt-1.5 text-small">
        Nobody else can say yes for them. What they agreed to before was for the old number, and stays on record there.
      </p>
      {children}
      {error ? (
        <p role="alert" className="font-bold text-error">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

/** What was submitted, next to what it is now. */
export function Corrections({ lead: { corrections } }: { readonly lead: Lead }) {
  const times = useTimes()
  if (corrections.length === 0) return null
  return (
    <section className="mt-4 border-t border-line pt-3 text-small">
      <h3 className="font-bold">Corrected</h3>
      <ul className="mt-1 flex flex-col gap-2">
        {corrections.map(({ at, by, reason, before }) => (
          <li key={`${at} ${by}`}>
            {Object.entries(before ?? {}).map(([name, value]) => (
              <p key={name}>
                {fieldLabel(name)} was: <bdi>{value === '' ? 'not given' : value}</bdi>
              </p>
            ))}
            <p className="text-ink-soft">
              {by}, {times.short(at)}. Reason: {reason}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
