/** The consent text the visitor saw, and the record that proves it. Folded, because calls rarely need it. */
import {
  answerLabel,
  type ConsentText,
  readConsent,
  readQuestionnaire,
  SPOKEN_LIMITS,
} from '../../../../domain/leads/as-presented.ts'
import { directionOfYes } from '../../../../domain/leads/phone-lead.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import type { Lead } from '../../client.ts'
import { truncate } from '../../format/names.tsx'
import { useTimes } from '../../times.ts'
import { Folded } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'

export function Consent({ lead }: { readonly lead: Lead }) {
  const times = useTimes()
  const { language, english, ...shown } = readConsent(lead.consent)
  const { button } = english ?? shown
  const how = button === undefined ? 'Spoken,' : `“${truncate(button, 40)}”`
  return (
    <Folded title="Consent" summary={`${how} on ${times.short(lead.receivedAt)}`}>
      {lead.consentTakenBy === null ? null : (
        <p className="mb-3">
          <strong>Spoken consent</strong>, on a call {directionOfYes(lead.page) === 'outgoing' ? 'made' : 'taken'} by{' '}
          {lead.consentTakenBy}: {SPOKEN_LIMITS}.
        </p>
      )}
      <figure className="rounded-xl border border-line bg-paper p-[min(1rem,16px)]">
        <figcaption className="mb-2 text-small text-ink-soft">
          {button === undefined ? 'Read to the person, who said yes' : 'Shown to the visitor'}
        </figcaption>
        <ConsentWords shown={shown} lang={language} />
      </figure>
      {english === undefined ? null : (
        <details className="mt-3">
          <summary className="mb-2 min-h-8 font-bold">In English</summary>
          <ConsentWords shown={english} />
        </details>
      )}
      <Questions presented={lead.questionnaire} />
      {button === undefined ? null : <CertificateStatus certificate={lead.certificate} />}
    </Folded>
  )
}

/** In the page's order: a line, which older leads don't have, the button, and the text below it. */
function ConsentWords({
  shown: { notice, button, text },
  lang,
}: {
  readonly shown: ConsentText
  readonly lang?: string | undefined
}) {
  return (
    <>
      {notice === undefined ? null : (
        <p lang={lang} className="mb-3 text-small">
          {notice}
        </p>
      )}
      {button === undefined ? null : (
        <p className="mb-3 rounded-lg bg-sage px-4 py-2.5 text-center font-bold text-action-strong">
          <span className="sr-only">The button said: </span>
          <span lang={lang}>{button}</span>
        </p>
      )}
      <blockquote lang={lang} className="whitespace-pre-line text-small">
        {text}
      </blockquote>
    </>
  )
}

function Questions({ presented }: { readonly presented: string | null }) {
  if (presented === null)
    return <p className="mt-3 text-small text-ink-soft">The questions weren’t recorded for this lead.</p>
  const { questions, spoken } = readQuestionnaire(presented)
  return (
    <details className="mt-3">
      <summary className="mb-2 min-h-8 font-bold">{pluralize(questions.length, 'question')} and answers</summary>
      <QuestionList presented={presented} />
      <p className="mt-2 text-small text-ink-soft">
        {spoken ? 'Asked on the phone.' : 'Visitors must give these answers to reach the contact form.'}
      </p>
    </details>
  )
}

export function QuestionList({ presented }: { readonly presented: string | null }) {
  if (presented === null)
    return <p className="text-small text-ink-soft">The questions weren’t recorded for this lead.</p>
  const { questions, yes, no, language } = readQuestionnaire(presented)
  return (
    <dl className="flex flex-col gap-2 text-small">
      {questions.map(({ id, question, english, answer }) => (
        <div
          key={id}
          className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-2 first:border-0 first:pt-0"
        >
          <dt className="min-w-0 flex-[1_1_10rem]">
            <span lang={language}>{question}</span>
            {english === undefined ? null : <span className="block text-ink-soft">{english}</span>}
          </dt>
          <dd lang={answer === 'not asked' ? undefined : language} className="ml-auto shrink-0 font-bold">
            {answerLabel({ yes, no }, answer)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** TrustedForm deletes a certificate after 90 days unless it's retained. Start warning this many days ahead. */
const EXPIRY_WARNING_DAYS = 14

function CertificateStatus({ certificate }: { readonly certificate: Lead['certificate'] }) {
  if (!certificate) return <p className="mt-3 text-small text-ink-soft">No TrustedForm certificate.</p>
  const { url, formKnown, ageDays, daysLeft, sandbox } = certificate
  const soon = daysLeft <= EXPIRY_WARNING_DAYS
  return (
    <p className="mt-3 flex items-start gap-2 text-small">
      <Icon name={soon ? 'alert' : 'done'} className="mt-0.5" />
      <span>
        <a href={url} target="_blank" rel="noopener noreferrer" className="font-bold underline underline-offset-4">
          TrustedForm certificate
        </a>
        {sandbox ? ' (test)' : ''}, {ageDays === 0 ? 'less than a day old' : `${pluralize(ageDays, 'day')} old`}.{' '}
        {daysLeft < 0
          ? 'The 90-day window has passed. If it wasn’t retained, it’s gone.'
          : soon
            ? `It expires in ${pluralize(daysLeft, 'day')}. Retain it in TrustedForm now to keep it.`
            : `It expires in ${pluralize(daysLeft, 'day')} unless you retain it.`}
        {formKnown ? '' : ' This link doesn’t look like a TrustedForm certificate.'}
      </span>
    </p>
  )
}
