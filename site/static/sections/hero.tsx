/** The first screen: the headline, a picture of an advocate, and the panel. */
import { organization } from '../../../site-folder/site.ts'
import type { HeroCopy } from '../../../site-folder/types.ts'
import { Icon } from '../icon.tsx'
import type { PageProps, SiteCopy } from '../page.ts'
import { Panel } from '../panel.tsx'
import { People } from '../people.tsx'
import { Picture } from './picture.tsx'

interface HeroProps extends PageProps {
  readonly copy: HeroCopy
  readonly site: SiteCopy
  readonly formId: string
  /** The page's path. */
  readonly path: string
}

export function Hero({ copy, site, formId, path, ...page }: HeroProps) {
  const { assets } = page
  const { headline, lead, panelTitle, note, promises } = copy
  return (
    // One screen tall, so the content below doesn't move when the panel grows, except on screens tall enough to show both.
    <div className="hero min-h-[min(100svh-4rem,45rem)] print:min-h-0 px-[20px] pb-10">
      <div className="mx-auto grid max-w-6xl pt-5 max-md:contact:pt-2 md:pt-10 grid-cols-[repeat(auto-fit,minmax(min(max(8rem,34%),100%),1fr))] gap-x-4 md:grid-cols-[minmax(0,1fr)_minmax(0,min(31rem,50%))] md:grid-rows-[auto_auto_1fr] md:contact:grid-rows-[repeat(3,auto)_1fr] md:gap-x-8 lg:gap-x-16">
        {/* On a phone, the contact form gets the whole screen. */}
        <h1 className="col-span-full self-end text-headline max-md:contact:sr-only md:col-span-1 md:text-display">
          {headline}
        </h1>
        {/* On the smallest phones, or with magnified text, the headline and the questions come first. */}
        {/* Balanced, because with `pretty`, WebKit wraps our font onto one more line than the fallback. */}
        <p className="self-center py-3 text-balance contact:hidden narrow:hidden md:pt-6 md:text-title">{lead}</p>
        <Picture
          of="advocate"
          assets={assets}
          alt={organization.pictures.advocate.alt[site.language]}
          sizes="(min-width: 64rem) 17rem, 9.5rem"
          className="max-w-38 self-end justify-self-end max-md:contact:hidden narrow:hidden md:col-start-2 md:row-start-1 md:max-w-68 md:justify-self-center md:contact:col-start-1 md:contact:row-start-4 md:contact:self-start md:contact:pt-10"
        />
        <div className="col-span-full narrow:pt-3 md:col-span-1 md:col-start-2 md:row-span-2 md:row-start-2 md:contact:row-span-4 md:contact:row-start-1">
          <Panel id={formId} label={panelTitle} site={site} path={path} page={page} afterSending="processing">
            <h2 className="pb-3 text-title contact:sr-only narrow:sr-only md:text-question">{panelTitle}</h2>
          </Panel>
        </div>
        <div className="col-span-full pt-6 md:col-span-1">
          {promises.length > 0 && (
            <ul className="grid grid-cols-1 content-start gap-4">
              {promises.map(({ icon, text }) => (
                // In the one-column layout, the panel's last line already says that it's confidential.
                <li key={icon} className={`flex items-center gap-4 ${icon === 'confidential' ? 'max-md:hidden' : ''}`}>
                  <span className="grid size-11 shrink-0 place-items-center rounded-full bg-sage text-action-dark">
                    <Icon name={icon} />
                  </span>
                  {text}
                </li>
              ))}
            </ul>
          )}
          <People language={site.language} assets={assets} className="pt-6 text-note" />
          <p className="max-w-[52ch] pt-6 text-note text-ink-soft">{note}</p>
        </div>
      </div>
    </div>
  )
}
