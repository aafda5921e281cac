/** What the not-found page and the error page have in common: what happened, the way home, a person to call. */
import { ButtonLink } from '../components/button.tsx'
import { CallLink } from '../components/call-link.tsx'

interface ProblemProps {
  readonly heading: string
  readonly text: string
  readonly help?: string
  readonly home: string
  readonly callLead: string
}

export function Problem({ heading, text, help, home, callLead }: ProblemProps) {
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-1 justify-items-center gap-5 px-5 py-16 text-center lg:py-28">
      <h1 className="text-headline lg:text-display">{heading}</h1>
      <p className="text-title">{text}</p>
      {help && <p className="text-ink-soft">{help}</p>}
      <ButtonLink href="/" className="mt-3">
        {home}
      </ButtonLink>
      <p className="pt-6">{callLead}</p>
      <CallLink look="outlined" />
    </div>
  )
}
