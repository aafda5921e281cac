/** The contact form: validated on submit, sent once, and never emptied by an error. */
import { LockKeyhole } from 'lucide-react'
import { type FormEvent, type Ref, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { contactWords } from '../../content/panel/contact-words.ts'
import { delays } from '../../domain/delays.ts'
import {
  CERTIFICATE_FIELD,
  type Contact,
  type ContactErrors,
  type ContactField,
  contactFields,
  dateOfBirthBounds,
  inWords,
  leadQuery,
  parseContact,
  type TrustedFormMode,
} from '../../domain/lead.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { PhoneUnbroken } from '../components/phone-unbroken.tsx'
import { ConsentText } from './consent-text.tsx'
import { DateField } from './date-field.tsx'
import type { Language } from './island.tsx'
import { PhoneField } from './phone-field.tsx'
import { StartOver } from './question.tsx'
import { type LeadDestination, sendLead } from './send-lead.ts'
import { Toasts, useToasts } from './toast.tsx'
import { readDraft, saveDraft } from './use-draft.ts'
import { useTrustedForm } from './use-trusted-form.ts'

export interface ContactFormProps {
  readonly language: Language
  readonly destination: LeadDestination
  readonly trustedForm: TrustedFormMode
  readonly headingLevel: 'h2' | 'h3'
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onSent: () => void
  readonly onClear: () => void
}

export function ContactForm({ language, destination, trustedForm, headingLevel: Heading, ...on }: ContactFormProps) {
  const words = contactWords[language]
  const [errors, setErrors] = useState<ContactErrors>({})
  const [submitting, setSubmitting] = useState(false)
  const [failed, setFailed] = useState(false)
  const [draft] = useState(() => readDraft().contact)
  const { toasts, show, dismiss, dismissErrors } = useToasts()
  useTrustedForm(trustedForm)
  // State arrives with the next render; the second press of a double click comes sooner.
  const busy = useRef(false)
  const submitButton = useRef<HTMLButtonElement>(null)
  useRememberedHeight(submitButton)

  const edited = (event: FormEvent<HTMLFormElement>) => {
    const field = (event.target as HTMLInputElement).name as ContactField
    if (errors[field] !== undefined) setErrors(({ [field]: _, ...others }) => others)
    // What is typed after the lead is on its way would be left behind.
    if (!busy.current) saveDraft({ contact: typedInto(event.currentTarget) })
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy.current) return
    busy.current = true
    try {
      await trySending(event.currentTarget)
    } catch {
      flushSync(() => {
        setSubmitting(false)
        setFailed(true)
      })
      // The message beside the button is an alert already: the toast repeats it to the eye only.
      show({ ...words.toasts.submissionFailed, destructive: true })
      // The message beside the button stays in view when the toast is gone.
      submitButton.current?.scrollIntoView({ block: 'center' })
      submitButton.current?.focus({ preventScroll: true })
      busy.current = false
    }
  }

  /** Returns when the form is wrong or the lead is sent; throws when it could not be sent. */
  const trySending = async (form: HTMLFormElement) => {
    const parsed = parseContact(typedInto(form), new Date().getFullYear())
    markTitle(words.errorTitlePrefix, !parsed.valid)
    setFailed(false)
    dismissErrors()
    if (!parsed.valid) {
      flushSync(() => setErrors(parsed.errors))
      show({ ...words.toasts.incomplete, destructive: false })
      focusFirstWrong(form, parsed.errors)
      busy.current = false
      return
    }
    setSubmitting(true)
    await sendLead(destination, leadQuery(parsed.contact, certificateIn(form)))
    on.onSent()
  }

  const messages = inWords(errors, words.messages)
  const field = (name: Exclude<ContactField, 'phone'>) => ({
    name,
    ...words.fields[name],
    error: messages[name],
    defaultValue: draft[name] ?? '',
  })

  return (
    <form noValidate onSubmit={submit} onInput={edited}>
      <Heading
        ref={on.headingRef}
        tabIndex={-1}
        className="text-lead leading-tight lg:text-title"
        data-tf-element-role="offer"
      >
        {words.heading}
      </Heading>
      <p className="pt-1 pb-3">
        {words.lead} {words.allRequired}
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(max(8rem,40%),100%),1fr))] gap-x-3 gap-y-2.5 *:nth-[n+3]:col-span-full">
        <Field
          {...field('firstName')}
          type="text"
          autoComplete="given-name"
          autoCapitalize="words"
          spellCheck={false}
          aria-describedby="why-name"
        />
        <Field
          {...field('lastName')}
          type="text"
          autoComplete="family-name"
          autoCapitalize="words"
          spellCheck={false}
          aria-describedby="why-name"
        />
        <p id="why-name" className="-mt-2 text-note leading-tight text-ink-soft">
          {words.whyName}
        </p>
        <DateField
          {...field('dateOfBirth')}
          {...dateOfBirthBounds(new Date().getFullYear())}
          hint={words.fields.dateOfBirth.hint}
        />
        <Field
          {...field('email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PhoneField {...words.fields.phone} error={messages.phone} defaultValue={draft['phone'] ?? ''} />
      </div>
      {/* Filled in by a consent-certificate script, if there is one; it may also add a field of this name itself. */}
      <input type="hidden" name={CERTIFICATE_FIELD} />
      <p className="flex items-center gap-2 py-3 text-note leading-tight">
        <LockKeyhole aria-hidden="true" className="size-5 shrink-0" />
        {words.noSocialSecurityNumber}
      </p>
      <Button
        ref={submitButton}
        type="submit"
        // Not disabled, which would drop focus: further presses do nothing.
        aria-disabled={submitting}
        className="min-h-16 w-full text-title"
        data-tf-element-role="submit"
      >
        {submitting ? words.submitting : words.consent.button}
      </Button>
      <p role="status" className="sr-only">
        {submitting && words.sending}
      </p>
      <div role="alert">
        {failed && (
          <p className="mt-3 rounded-xl border-2 border-error bg-error-soft p-4 text-note">
            <strong className="block text-error">{words.toasts.submissionFailed.title}</strong>
            {words.toasts.submissionFailed.text} <PhoneUnbroken text={words.submissionFailedHelp} phone={words.phone} />
          </p>
        )}
      </div>
      <ConsentText
        paragraphs={words.consent.paragraphs}
        advertiser={words.advertiser}
        phone={words.phone}
        privacyPolicy={words.consent.privacyPolicy}
      />
      <StartOver text={words.clear} onClick={() => busy.current || on.onClear()} />
      <Toasts
        returnFocusTo={submitButton}
        toasts={toasts}
        dismiss={dismiss}
        duration={delays.toast}
        label={words.toasts.regionLabel}
        dismissLabel={words.toasts.dismiss}
      />
    </form>
  )
}

/** Keeps how high the panel is with the form in it, for a page that goes on with the form (site/browser/use-draft.ts). */
function useRememberedHeight(inside: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const remember = (event?: Event) => {
      const { height: before, width } = readDraft()
      const height = inside.current?.closest<HTMLElement>('[data-questionnaire]')?.offsetHeight
      // A form that the page went on with is as high as it was; saving it again would make the draft younger. Once the
      // window has changed, its messages may stand there, which do not come back; and a draft that is gone stays gone.
      const isOther = width !== innerWidth
      if (height && (event ? width && isOther : isOther || height !== before)) saveDraft({ height, width: innerWidth })
    }
    remember()
    addEventListener('resize', remember)
    return () => removeEventListener('resize', remember)
  }, [inside])
}

function typedInto(form: HTMLFormElement): Contact {
  const data = new FormData(form)
  return Object.fromEntries(contactFields.map(name => [name, String(data.get(name) ?? '')])) as Contact
}

/** There may be several fields of this name: ours, and one that the certificate's script put there. */
function certificateIn(form: HTMLFormElement): string | undefined {
  return new FormData(form).getAll(CERTIFICATE_FIELD).map(String).find(Boolean)
}

function focusFirstWrong(form: HTMLFormElement, errors: ContactErrors): void {
  const wrong = [...form.querySelectorAll('input')].find(input => errors[input.name as ContactField] !== undefined)
  wrong?.scrollIntoView({ block: 'center' })
  wrong?.focus({ preventScroll: true })
}

function markTitle(prefix: string, wrong: boolean): void {
  const title = document.title.replace(prefix, '')
  document.title = wrong ? prefix + title : title
}
