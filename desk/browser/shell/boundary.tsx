/** When a view fails, the page says so: without it, React takes everything away and leaves a white screen. */
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
        <Problem title="This view could not be shown">
          <p>That is a fault of the desk, and nothing was changed by it. Load the page again, or go to Today.</p>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button onClick={() => location.reload()}>Load again</Button>
            <Button onClick={() => location.assign('/')}>Today</Button>
          </div>
        </Problem>
      </main>
    )
  }
}
