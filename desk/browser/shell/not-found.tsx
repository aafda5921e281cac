/** No view has this address. */
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from './page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState icon="search-x" title="There’s no page at this address.">
        <ButtonLink kind="primary" href="/">
          Go to Today
        </ButtonLink>
      </EmptyState>
    </Page>
  )
}
