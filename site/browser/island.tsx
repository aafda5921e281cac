/** The part of a page that React runs: the questionnaire, and an error view if React fails. */
import { Component, type ReactNode } from 'react'
import { type Language, type PanelWords, panelWords } from '../../content/panel/panel-words.ts'
import { telHref } from '../../domain/phone.ts'
import { Questionnaire, type QuestionnaireProps } from './questionnaire.tsx'

export interface IslandProps extends Omit<QuestionnaireProps, 'words'> {
  readonly language: Language
}

export function Island(props: IslandProps) {
  const words = panelWords[props.language]
  return (
    <ErrorBoundary words={words}>
      <Questionnaire {...props} words={words} />
    </ErrorBoundary>
  )
}

interface ErrorBoundaryProps {
  readonly words: PanelWords
  readonly children: ReactNode
}

/** The error page's text and the phone number, never an empty box. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    const { failure, phone } = this.props.words
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
