/** The first screen: the headline's promise and the panel to act on it. */
import { Icon, type IconName } from '../icon.tsx'
import type { PageProps, SiteWords } from '../page.ts'
import { Panel } from '../panel.tsx'

export interface HeroWords {
  readonly headline: string
  readonly lead: string
  readonly panelTitle: string
  readonly note: string
  readonly promises: readonly { readonly icon: IconName; readonly text: string }[]
}

interface HeroProps extends PageProps {
  readonly words: HeroWords
  readonly site: SiteWords
  readonly formId: string
  /** The address of the page. */
  readonly path: string
}

export function Hero({ words, site, formId, path, destination, trustedForm, builtOn }: HeroProps) {
  const { headline, lead, promises, panelTitle, note } = words
  return (
    // At least a screen high: what follows stays below the fold, and does not move when the panel grows.
    <div className="min-h-[calc(100svh-4rem)] px-5 pt-6 pb-10 md:pt-12 lg:pt-20">
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,31rem)] lg:grid-rows-[auto_1fr]">
        <div>
          <h1 className="text-headline lg:text-display">{headline}</h1>
          <p className="pt-3 lg:pt-6 lg:text-title">{lead}</p>
        </div>
        <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <Panel
            id={formId}
            label={panelTitle}
            site={site}
            path={path}
            destination={destination}
            trustedForm={trustedForm}
            builtOn={builtOn}
            headingLevel="h2"
            afterSending="processing"
          />
        </div>
        <div>
          <ul className="grid grid-cols-1 content-start gap-4 pt-3 lg:gap-5 lg:pt-8">
            {promises.map(({ icon, text }) => (
              // In one column the panel has just said, in its last line, that it is confidential.
              <li key={icon} className={`flex items-center gap-4 ${icon === 'confidential' ? 'max-lg:hidden' : ''}`}>
                <span className="grid size-11 shrink-0 place-items-center rounded-full bg-sage text-action-dark">
                  <Icon name={icon} />
                </span>
                {text}
              </li>
            ))}
          </ul>
          <p className="max-w-[52ch] pt-6 text-note text-ink-soft">{note}</p>
        </div>
      </div>
    </div>
  )
}
