/** What the panel shows if React fails: the error page's words and the phone number, never an empty box. */
import { Component, type ReactNode } from 'react'
import { applicationError } from '../../content/errors.ts'
import { organization } from '../../content/organization.ts'

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div role="alert" className="grid gap-4">
        <p className="text-title font-bold">{applicationError.heading}</p>
        <p>{applicationError.text}</p>
        <p>
          {applicationError.callLead}{' '}
          <a href={organization.phone.href} className="font-bold text-action-dark underline underline-offset-4">
            {organization.phone.shown}
          </a>
        </p>
      </div>
    )
  }
}
