/** An address that leads nowhere. */
import { Compass } from 'lucide-react'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from './page.tsx'

export function NotFound() {
  return (
    <Page title="There is nothing here">
      <EmptyState icon={Compass} title="No view of the desk has this address.">
        <ButtonLink kind="primary" href="/">
          Go to Today
        </ButtonLink>
      </EmptyState>
    </Page>
  )
}
