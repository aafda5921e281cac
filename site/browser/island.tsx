/** The part of the page that React hydrates: the questionnaire, with an error view if rendering fails. */

import { Component, type ReactNode } from 'react'
import { telHref } from '../../domain/contact/phone.ts'
import type { Language } from '../../domain/languages.ts'
import type { PanelTexts } from '../../site/copy/copy-of.ts'
import { panelCopy } from '../../site/copy/panel-copy.ts'
import { Questionnaire, type QuestionnaireProps } from './questionnaire.tsx'

export interface IslandProps extends Omit<QuestionnaireProps, 'copy'> {
  readonly language: Language
}

export function Island(props: IslandProps) {
  const copy = panelCopy[props.language]
  return (
    <ErrorBoundary failure={props.texts.failure} phone={copy.phone}>
      <Questionnaire {...props} copy={copy} />
    </ErrorBoundary>
  )
}

interface ErrorBoundaryProps {
  readonly failure: PanelTexts['failure']
  readonly phone: string
  readonly children: ReactNode
}

/** Shows the error page's text and the phone number instead of an empty box. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    const { failure, phone } = this.props
    return (
      <div role="alert" className="grid gap-4">
        <p className="text-title font-bold">{failure.heading}</p>
        <p>{failure.text}</p>
        <p>
          {failure.callLead}{' '}
          <a href={telHref(phone)} className="font-bold text-action-dark underline underline-offset-4">
            {phone}
          </a>
        </p>
      </div>
    )
  }
}
