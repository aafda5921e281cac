/** What the visitor agreed to, as it was on their screen, and the page that proves it. */
import { Download, Printer, ShieldAlert, ShieldCheck } from 'lucide-react'
import { readQuestionnaire } from '../../../domain/questions-as-asked.ts'
import type { LeadAnswer, LeadCertificate } from '../../api/lead.ts'
import { recordAddress } from '../../api/record.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { counted } from '../words/figures.ts'

export function Consent({ lead }: { readonly lead: LeadAnswer }) {
  const { text, button } = presentedIn(lead.consent.presented)
  return (
    <Card title="What they agreed to">
      <figure className="rounded-xl border border-line bg-paper p-[min(1rem,16px)]">
        <figcaption className="mb-2 text-small text-ink-soft">As the visitor saw it</figcaption>
        <blockquote className="whitespace-pre-line text-small">{text}</blockquote>
        <p className="mt-3 rounded-lg bg-sage px-4 py-2.5 text-center font-bold text-action-strong">
          <span className="sr-only">The button said: </span>
          {button}
        </p>
      </figure>
      <Questions presented={lead.questionnaire?.presented ?? null} />
      <CertificateLine certificate={lead.certificate} />
      <div className="mt-4 flex flex-wrap gap-2.5">
        <ButtonLink
          href={recordAddress(lead.id)}
          target="_blank"
          rel="noopener"
          icon={<Printer aria-hidden size={18} />}
        >
          Consent record, to print
        </ButtonLink>
        <ButtonLink kind="quiet" href={recordAddress(lead.id, true)} download icon={<Download aria-hidden size={18} />}>
          Save it
        </ButtonLink>
      </div>
    </Card>
  )
}

function Questions({ presented }: { readonly presented: string | null }) {
  if (presented === null)
    return <p className="mt-3 text-small text-ink-soft">Which questions were asked is not known.</p>
  const { questions, yes, no } = readQuestionnaire(presented)
  return (
    <details className="mt-3">
      <summary className="min-h-8 font-bold">The {counted(questions.length, 'question')} and the answers</summary>
      <dl className="mt-2 flex flex-col gap-2 text-small">
        {questions.map(({ id, question, answer }) => (
          <div key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-2">
            <dt className="min-w-0 flex-[1_1_10rem]">{question}</dt>
            <dd className="ml-auto shrink-0 font-bold">{answer === 'yes' ? yes : no}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-small text-ink-soft">
        The form opens only after these answers: whoever answers otherwise cannot send it.
      </p>
    </details>
  )
}

/** TrustedForm keeps a certificate for 90 days: with few left, it is time to keep it for longer. */
const FEW_DAYS = 14

function CertificateLine({ certificate }: { readonly certificate: LeadCertificate | null }) {
  if (!certificate) {
    return <p className="mt-3 text-small text-ink-soft">No TrustedForm certificate came with it.</p>
  }
  const { url, formKnown, ageDays, daysLeft, sandbox } = certificate
  const soon = daysLeft <= FEW_DAYS
  const Icon = soon ? ShieldAlert : ShieldCheck
  return (
    <p className="mt-3 flex items-start gap-2 text-small">
      <Icon aria-hidden size={18} className="mt-0.5 shrink-0" />
      <span>
        <a href={url} target="_blank" rel="noopener noreferrer" className="font-bold underline underline-offset-4">
          TrustedForm certificate
        </a>
        {sandbox ? ' (a trial one)' : ''}, {ageDays === 0 ? 'of today' : `${counted(ageDays, 'day')} old`}.{' '}
        {daysLeft < 0
          ? 'It is past its 90 days, and gone unless you have claimed it.'
          : soon
            ? `TrustedForm keeps it for only ${counted(daysLeft, 'more day', 'more days')}: claim it now to keep it.`
            : `TrustedForm keeps it for ${counted(daysLeft, 'more day', 'more days')}, and for longer if you claim it.`}
        {formKnown ? '' : ' Its address does not look like those of other certificates.'}
      </span>
    </p>
  )
}

function presentedIn(presented: string): { readonly text: string; readonly button: string } {
  return JSON.parse(presented) as { text: string; button: string }
}
