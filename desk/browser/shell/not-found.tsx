/** No view has this address. */
import { Compass } from 'lucide-react'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from './page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState icon={Compass} title="There’s no page at this address.">
        <ButtonLink kind="primary" href="/">
          Go to Today
        </ButtonLink>
      </EmptyState>
    </Page>
  )
}
