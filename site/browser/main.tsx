/** What runs in the browser: the questionnaire takes over the panel that is already in the page. */
import { hydrateRoot } from 'react-dom/client'
import { Island, type IslandProps } from './island.tsx'

for (const island of document.querySelectorAll<HTMLElement>('[data-questionnaire]')) {
  const props = JSON.parse(island.dataset['questionnaire'] ?? '') as IslandProps
  hydrateRoot(island, <Island {...props} />)
}
