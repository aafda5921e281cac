/** What runs in the browser: the questionnaire takes over the panel that is already in the page. */
import { hydrateRoot } from 'react-dom/client'
import { ErrorBoundary } from './questionnaire/error-boundary.tsx'
import { Questionnaire, type QuestionnaireProps } from './questionnaire/questionnaire.tsx'

for (const island of document.querySelectorAll<HTMLElement>('[data-questionnaire]')) {
  const props = JSON.parse(island.dataset['questionnaire'] ?? '') as QuestionnaireProps
  hydrateRoot(
    island,
    <ErrorBoundary>
      <Questionnaire {...props} />
    </ErrorBoundary>,
  )
}
