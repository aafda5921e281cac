/** The browser's entry point: hydrates the questionnaire panel. */
import { hydrateRoot } from 'react-dom/client'
import { Island, type IslandProps } from './island.tsx'

for (const island of document.querySelectorAll<HTMLElement>('[data-questionnaire]')) {
  const props = JSON.parse(island.dataset['questionnaire'] ?? '') as IslandProps
  hydrateRoot(island, <Island {...props} />)
}
