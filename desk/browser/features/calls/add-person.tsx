/** Adds someone who called us, or answered a call to someone else, and never sent the form: who they are, the six questions, and their spoken yes. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type CallLanguage, callLanguages } from '../../../../domain/calling/list.ts'
import { contactLabels } from '../../../../domain/contact/contact-fields.ts'
import { languageName } from '../../../../domain/languages.ts'
import { MAX_NOTE_LENGTH } from '../../../limits.ts'
import { type AddedPerson, api, type PhoneWords, unwrap } from '../../client.ts'
import { useDraft } from '../../drafts.ts'
import { navigate, useHistoryState } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox, Select, submitOnCtrlEnter, TextArea, TextField } from '../../ui/field.tsx'
import { Callout, Failed, Loaded } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AddToDoNotCall } from '../do-not-call/add-to-do-not-call.tsx'
import { AT_OUTCOME, useCallsChanged, useCallWords } from './call-queries.ts'
import type { NewPerson, PersonToAdd } from './incoming-call.tsx'
import { sayOfAdded } from './said.ts'
import { InBoth } from './what-to-say.tsx'

const fields = {
  firstName: { label: contactLabels.firstName, autoCapitalize: 'words' },
  lastName: { label: contactLabels.lastName, autoCapitalize: 'words' },
  phone: { label: contactLabels.phone, type: 'tel' },
  email: { label: `${contactLabels.email} (optional)`, type: 'email' },
  dateOfBirth: { label: `${contactLabels.dateOfBirth} (optional)`, type: 'date' },
} as const
type Field = keyof typeof fields
const fieldNames = Object.keys(fields) as readonly Field[]

/** What was typed so far, apart from what they agreed to. It survives a reload: the person is on the phone. */
interface Typed {
  readonly person: Readonly<Record<Field, string>>
  readonly language: CallLanguage
  readonly answers: Readonly<Record<string, 'yes' | 'no'>>
  readonly note: string
}

function typedFrom({ firstName = '', lastName = '', phone = '', email = '', dateOfBirth = '', language }: PersonToAdd) {
  const person = { firstName, lastName, phone, email, dateOfBirth }
  return { person, language: language === 'es' ? 'es' : 'en', answers: {}, note: '' } as const
}

export function AddPerson() {
  const words = useCallWords()
  const { draft: call, answered } = useHistoryState<NewPerson>() ?? {}
  const isLoaded = words.data !== undefined
  // The number is known, so the name comes next. Here, because the page moves the focus to its heading first.
  useEffect(() => {
    if (isLoaded) document.querySelector<HTMLElement>('main form input')?.focus()
  }, [isLoaded])
  return (
    <Page title={answered ? 'Add someone who answered your call' : 'Add someone who called us'}>
      <Loaded query={words} what="the questions">
        {data => <Form key={call} words={data} />}
      </Loaded>
    </Page>
  )
}

function Form({ words }: { readonly words: PhoneWords }) {
  const changed = useCallsChanged()
  const toast = useToast()
  const known: Partial<NewPerson> = useHistoryState<NewPerson>() ?? {}
  const { answered } = known
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useDraft(`${useSession().name} add ${known.draft ?? ''}`)
  const typed: Typed = draft === '' ? typedFrom(known) : JSON.parse(draft)
  const { person, language, answers, note } = typed
  const type = (changes: Partial<Typed>) => setDraft(JSON.stringify({ ...typed, ...changes }))
  const [saidYes, setSaidYes] = useState(false)
  const [allow, setAllow] = useState(false)
  const [tried, setTried] = useState(false)
  const { questions, spokenConsent } = words[language]

  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.calls.people.$post({
          json: {
            ...person,
            language,
            answers,
            note: note.trim(),
            saidYes: true,
            allow,
            ...(answered && { answered: answered.leadId }),
          },
        }),
      ),
    onSuccess: result => {
      void changed()
      if (result.kind !== 'added') return
      setDraft('')
      if (result.notice !== null) toast({ text: result.notice })
      if (answered) sayOfAdded(answered.said, result.leadId)
      navigate(answered ? `/leads/${answered.leadId}${AT_OUTCOME}` : `/leads/${result.leadId}`, { replace: true })
    },
  })
  const errors: Partial<Record<string, string>> = save.data?.kind === 'invalid' ? save.data.errors : {}
  // Focus the first field with an error, so screen readers read it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each answer.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [save.data])

  return (
    <form
      ref={form}
      noValidate
      className="flex max-w-3xl flex-col gap-5"
      onSubmit={event => {
        event.preventDefault()
        setTried(true)
        if (saidYes && !save.isPending) save.mutate()
      }}
    >
      <Card title={answered ? 'Who answered?' : 'Who is calling?'}>
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {fieldNames.map(name => (
            <TextField
              key={name}
              {...fields[name]}
              autoComplete="off"
              value={person[name]}
              error={errors[name]}
              onChange={event => type({ person: { ...person, [name]: event.target.value } })}
            />
          ))}
          <Select
            label="Speaks"
            value={language}
            choices={callLanguages.map(each => [each, languageName(each)] as const)}
            onChoose={to => type({ language: to as CallLanguage })}
          />
        </div>
      </Card>
      <Card title="Ask what they’re willing to answer" note="What you skip is recorded as not asked.">
        <div className="flex flex-col gap-3">
          {questions.map(({ id, text }) => (
            <Question
              key={id}
              answer={answers[id]}
              onAnswer={answer => {
                const { [id]: _, ...others } = answers
                type({ answers: answer === undefined ? others : { ...others, [id]: answer } })
              }}
            >
              <InBoth language={language} text={text} english={words.en.questions.find(each => each.id === id)?.text} />
            </Question>
          ))}
        </div>
      </Card>
      <Card
        title="Read this aloud"
        note="Word for word. If they don’t say yes, help them in this call. Nothing is stored, and we don’t call them."
      >
        <blockquote className="mb-2 rounded-xl border border-line bg-paper p-4">
          <InBoth language={language} text={spokenConsent} english={words.en.spokenConsent} />
        </blockquote>
        <Checkbox label="They said yes" checked={saidYes} onChange={setSaidYes} />
        {tried && !saidYes ? (
          <p className="font-bold text-error">Read it aloud, and check the box if they say yes.</p>
        ) : null}
      </Card>
      <TextArea
        label="Note (optional)"
        rows={2}
        maxLength={MAX_NOTE_LENGTH}
        value={note}
        onKeyDown={submitOnCtrlEnter}
        onChange={event => type({ note: event.target.value })}
      />
      {save.data?.kind === 'on the list' ? (
        <OnTheList stops={save.data.stops} allow={allow} onAllow={setAllow} />
      ) : null}
      <Failed request={save} />
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" kind="primary" busy={save.isPending}>
          Save this person
        </Button>
        <ButtonLink href={answered ? `/leads/${answered.leadId}` : '/calls'} onClick={() => setDraft('')}>
          Don’t save
        </ButtonLink>
        <AddToDoNotCall
          typed={person.phone}
          onAdded={() => {
            setDraft('')
            navigate('/calls')
          }}
        />
      </div>
    </form>
  )
}

const choices = [
  ['yes', 'Yes'],
  ['no', 'No'],
  [undefined, 'Not asked'],
] as const

interface QuestionProps {
  readonly answer: 'yes' | 'no' | undefined
  readonly onAnswer: (answer: 'yes' | 'no' | undefined) => void
  readonly children: ReactNode
}

function Question({ answer, onAnswer, children }: QuestionProps) {
  return (
    <fieldset className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line pt-2 first:border-0 first:pt-0">
      <legend className="float-left min-w-0 flex-[1_1_16rem]">{children}</legend>
      <div className="flex flex-wrap gap-x-4">
        {choices.map(([value, label]) => (
          <label key={label} className="flex min-h-11 items-center gap-2">
            <input
              type="radio"
              checked={answer === value}
              className="size-5 accent-action"
              onChange={() => onAnswer(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type Stops = Extract<AddedPerson, { readonly kind: 'on the list' }>['stops']

interface OnTheListProps {
  readonly stops: Stops
  readonly allow: boolean
  readonly onAllow: (allow: boolean) => void
}

function OnTheList({ stops, allow, onAllow }: OnTheListProps) {
  const times = useTimes()
  const isTyped = stops.some(stop => stop.isTyped)
  const isAnothers = stops.some(stop => !stop.isTyped && !stop.isNumber)
  const since = Math.min(...stops.map(({ at }) => at))
  return (
    <Callout tone="bad" icon="phone-off" role="alert" title={`On the do-not-call list since ${times.short(since)}`}>
      {isTyped ? <p>The email address is on the list. Save without it, or ask an editor.</p> : null}
      {isAnothers ? (
        <p>
          An email address on another lead with this number is on the do-not-call list. An editor has to remove it
          first.
        </p>
      ) : null}
      {isTyped || isAnothers ? null : (
        <>
          <p>They’re taken off it only if they ask for that themselves. It’s recorded with your name.</p>
          <Checkbox label="They asked to be called again" checked={allow} onChange={onAllow} />
        </>
      )}
    </Callout>
  )
}
