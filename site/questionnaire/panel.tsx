/** The card around the questionnaire, and the questionnaire itself as HTML that React takes over in the browser. */
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { organization } from '../../content/organization.ts'
import { questionnaire } from '../../content/questionnaire.ts'
import { CallLink } from '../components/call-link.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { PlainForm } from './plain-form.tsx'
import { Questionnaire, type QuestionnaireProps } from './questionnaire.tsx'

export interface PanelProps extends QuestionnaireProps {
  readonly id: string
  readonly label: string
  /** The page that the panel stands on. */
  readonly page: string
  readonly builtOn: Date
  readonly children?: ReactNode
}

export function Panel({ id, label, page, builtOn, children, ...props }: PanelProps) {
  const html = renderToString(
    <ErrorBoundary>
      <Questionnaire {...props} />
    </ErrorBoundary>,
  )
  return (
    // Focusable, so that a call-to-action link moves the keyboard here as well as the view.
    <section
      id={id}
      tabIndex={-1}
      aria-label={label}
      className="rounded-3xl border border-line bg-card p-5 shadow-xl shadow-ink/10 sm:p-8"
    >
      {children}
      <div
        data-questionnaire={JSON.stringify(props)}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own markup, rendered above for hydration
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <noscript>
        <PlainForm page={page} consentVersion={props.destination.consentVersion} builtOn={builtOn} />
      </noscript>
      <div hidden data-script-missing role="alert" className="pt-4">
        <Alternative heading={questionnaire.scriptMissing.heading} text={questionnaire.scriptMissing.text} />
      </div>
    </section>
  )
}

function Alternative({ heading, text }: { heading: string; text: string }) {
  return (
    <div className="grid gap-4">
      <p className="text-title font-bold">{heading}</p>
      <p>{text}</p>
      <CallLink label={`${organization.callLabel} ${organization.phone.shown}`} />
    </div>
  )
}
