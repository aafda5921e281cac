/** The contact form. Validates on submit, sends once, and keeps its values after an error. */

import { type FormEvent, type Ref, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ContactField, contactFields, describeField } from '../../domain/contact/contact-fields.ts'
import { doubtsAbout, unconfirmed } from '../../domain/contact/plausibility.ts'
import { type DatePart, wrongDateParts } from '../../domain/dates.ts'
import type { Language } from '../../domain/languages.ts'
import {
  CERTIFICATE_FIELD,
  type Contact,
  type ContactErrors,
  checkContact,
  errorMessages,
  leadQuery,
  type TrustedFormMode,
} from '../../domain/leads/lead.ts'
import { delays } from '../../domain/visits/delays.ts'
import { contactFormCopy } from '../../site/copy/contact-form-copy.ts'
import type { ConsentCopy } from '../../site-folder/types.ts'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { PhoneOnOneLine } from '../components/phone-on-one-line.tsx'
import { ConsentNotice, ConsentText } from './consent-text.tsx'
import { ContactInputs } from './contact-inputs.tsx'
import { QuietButton } from './question.tsx'
import { type LeadDestination, sendLead } from './send-lead.ts'
import { Toasts, useToasts } from './toast.tsx'
import { readDraft, type SentLead, saveDraft } from './use-draft.ts'
import { useTrustedForm } from './use-trusted-form.ts'

/** Otherwise, the labels say which fields are optional. */
const isEachRequired = contactFields.every(field => describeField(field).required !== undefined)

export interface ContactFormProps {
  readonly language: Language
  readonly destination: LeadDestination
  readonly trustedForm: TrustedFormMode
  readonly consent: ConsentCopy
  readonly headingRef: Ref<HTMLHeadingElement>
  /** A ref, because the second click of a double click can fire before the next render. */
  readonly busy: RefObject<boolean>
  readonly open: boolean
  readonly onSent: (sent: SentLead) => void
  readonly onBack: () => void
  readonly onClear: () => void
}

export function ContactForm({ language, destination, trustedForm, consent, busy, open, ...on }: ContactFormProps) {
  const copy = contactFormCopy[language]
  const [errors, setErrors] = useState<ContactErrors>({})
  const [wrongParts, setWrongParts] = useState<readonly DatePart[]>([])
  /** The values when the visitor was last asked about some of them. If those are sent again, they're right. */
  const asked = useRef<Readonly<Partial<Contact>>>({})
  const [submitting, setSubmitting] = useState(false)
  const [failed, setFailed] = useState<'refused' | 'offline' | null>(null)
  const [draft] = useState(() => readDraft().contact)
  const { toasts, show, dismiss, dismissAll } = useToasts()
  useTrustedForm(trustedForm)
  const submitButton = useRef<HTMLButtonElement>(null)
  useTitlePrefix(copy.errorTitlePrefix, open && Object.keys(errors).length > 0)

  const handleInput = (event: FormEvent<HTMLFormElement>) => {
    const field = fieldOf(event.target as HTMLInputElement)
    if (errors[field] !== undefined) {
      const { [field]: _, ...others } = errors
      setErrors(others)
      if (Object.keys(others).length === 0) dismissAll(copy.toasts.incomplete)
    }
    // Don't save after the lead is sent: the draft would stay on a shared computer.
    if (!busy.current) saveDraft({ contact: draftOf(event.currentTarget) })
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy.current) return
    busy.current = true
    try {
      await validateAndSend(event.currentTarget)
    } catch {
      flushSync(() => {
        setSubmitting(false)
        setFailed(navigator.onLine ? 'refused' : 'offline')
        // Visual only: screen readers get the message next to the button, which stays after the toast closes.
        show(copy.toasts.submissionFailed, true)
      })
      submitButton.current?.scrollIntoView({ block: 'center' })
      submitButton.current?.focus({ preventScroll: true })
      busy.current = false
    }
  }

  const startOver = () => {
    if (busy.current) return
    on.onClear()
  }

  /** Returns if the form is invalid or the lead was sent; throws if sending fails. */
  const validateAndSend = async (form: HTMLFormElement) => {
    const typed = Object.fromEntries(new FormData(form))
    const year = new Date().getFullYear()
    const parsed = checkContact(typed, year)
    const doubts = parsed.valid ? doubtsAbout(parsed.contact, copy.ages, new Date()) : {}
    const found: ContactErrors = parsed.valid ? unconfirmed(doubts, parsed.contact, asked.current) : parsed.errors
    setErrors(found)
    setFailed(null)
    dismissAll(copy.toasts.submissionFailed)
    if (!parsed.valid || Object.keys(found).length > 0) {
      if (parsed.valid) asked.current = parsed.contact
      // Synchronous, because the toast affects how far the page must scroll to show the field.
      flushSync(() => {
        setWrongParts(wrongDateParts(typed, 'dateOfBirth', year))
        if (!parsed.valid) show(copy.toasts.incomplete)
      })
      focusFirstError(form)
      busy.current = false
      return
    }
    setSubmitting(true)
    const { token } = await sendLead(destination, leadQuery(parsed.contact, certificateIn(form)), Object.keys(doubts))
    on.onSent({ token, phone: parsed.contact.phone })
  }

  return (
    <form noValidate onSubmit={submit} onInput={handleInput}>
      <Toasts toasts={toasts} dismiss={dismiss} duration={delays.toast} copy={copy.toasts} />
      <h3
        ref={on.headingRef}
        tabIndex={-1}
        className="text-lead leading-tight lg:text-title"
        data-tf-element-role="offer"
      >
        {copy.heading}
      </h3>
      <p className="pt-1 pb-4">
        {copy.lead} {isEachRequired && copy.allRequired}
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(max(8rem,40%),100%),1fr))] gap-x-3 gap-y-7 *:nth-[n+3]:col-span-full">
        <ContactInputs
          copy={copy}
          messages={errorMessages(errors, copy.messages)}
          wrongParts={wrongParts}
          draft={draft}
        />
      </div>
      {/* Filled in by TrustedForm's script, if loaded. The script may also add its own field with this name. */}
      <input type="hidden" name={CERTIFICATE_FIELD} />
      <p className="flex items-center gap-2 pt-6 pb-4 text-note leading-tight">
        <Icon name="lock" className="size-5" />
        {copy.noSocialSecurityNumber}
      </p>
      <ConsentNotice {...consent} />
      <Button
        ref={submitButton}
        type="submit"
        aria-describedby="notice"
        // Not `disabled`, which would drop focus. Clicks while sending do nothing.
        aria-disabled={submitting}
        className="min-h-16 w-full text-title"
        data-tf-element-role="submit"
      >
        {submitting ? copy.submitting : consent.button}
      </Button>
      <p role="status" className="sr-only">
        {submitting && copy.sending}
      </p>
      <div role="alert">
        {failed && (
          <p className="mt-3 rounded-xl border-2 border-error bg-error-soft p-[14px] text-note">
            <strong className="block text-error">{copy.toasts.submissionFailed.title}</strong>
            {copy.toasts.submissionFailed.text}{' '}
            <PhoneOnOneLine
              text={failed === 'offline' ? copy.offlineHelp : copy.submissionFailedHelp}
              phone={copy.phone}
            />
          </p>
        )}
      </div>
      <ConsentText below={consent.below} advertiser={copy.advertiser} phone={copy.phone} />
      <div className="flex flex-wrap justify-between gap-x-6">
        <QuietButton data-back text={copy.back} onClick={on.onBack} />
        <QuietButton text={copy.clear} onClick={startOver} />
      </div>
    </form>
  )
}

/** The values typed so far, except fields that must not be saved. */
function draftOf(form: HTMLFormElement) {
  const data = new FormData(form)
  const saved = contactFields.filter(field => describeField(field).inDraft)
  return Object.fromEntries(saved.map(field => [field, String(data.get(field) ?? '')]))
}

/** The field that an input belongs to. A date field has three inputs. */
const fieldOf = ({ name }: HTMLInputElement) => name.replace(/-.*/, '') as ContactField

/** There may be two fields with this name: ours and one added by TrustedForm's script. */
function certificateIn(form: HTMLFormElement): string | undefined {
  return new FormData(form).getAll(CERTIFICATE_FIELD).map(String).find(Boolean)
}

function focusFirstError(form: HTMLFormElement): void {
  // Not just the field: in a date, only some boxes may be wrong.
  const wrong = form.querySelector<HTMLElement>('input[aria-invalid=true]')
  // With its label, which a toast would cover on the smallest screens.
  wrong?.closest('.group')?.scrollIntoView({ block: 'center' })
  wrong?.focus({ preventScroll: true })
}

/** Marks the page's title while the form has errors, which screen readers announce first. */
function useTitlePrefix(prefix: string, marked: boolean): void {
  useEffect(() => {
    if (!marked) return
    const { title } = document
    document.title = prefix + title
    return () => {
      document.title = title
    }
  }, [prefix, marked])
}
