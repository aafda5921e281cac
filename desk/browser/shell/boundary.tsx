/** When a view crashes, says so; React alone would leave a white screen. */
import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'

interface BoundaryProps {
  readonly children: ReactNode
}

export class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="mx-auto max-w-xl px-4 py-16">
        <h1 className="mb-4 text-heading">Desk</h1>
        <Problem title="This page couldn’t be shown">
          <p>The desk has a bug here. Nothing was changed. Reload the page, or go to Today.</p>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button onClick={() => location.reload()}>Reload</Button>
            <Button onClick={() => location.assign('/')}>Today</Button>
          </div>
        </Problem>
      </main>
    )
  }
}
