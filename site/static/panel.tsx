/** The card around the questionnaire, and the questionnaire as HTML that React hydrates in the browser. */

import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { panelTexts } from '../../site/copy/panel-texts.ts'
import { formOff, words } from '../../site-folder/site.ts'
import { Island, type IslandProps } from '../browser/island.tsx'
import { CallLink } from './call.tsx'
import type { PageProps, SiteCopy } from './page.ts'
import { PlainForm } from './plain-form.tsx'

interface PanelProps extends Pick<IslandProps, 'afterSending'> {
  readonly id: string
  readonly label: string
  readonly site: SiteCopy
  /** The page's path. */
  readonly path: string
  readonly page: Pick<PageProps, 'destination' | 'trustedForm' | 'hasReceiver'>
  readonly children: ReactNode
}

export function Panel({ id, label, site, path, page, children, afterSending }: PanelProps) {
  const { destination, trustedForm, hasReceiver } = page
  const isOff = formOff.includes(site.language)
  const { button, above, below } = words[site.language].consent
  const texts = panelTexts[site.language]
  const props: IslandProps = {
    destination,
    trustedForm,
    afterSending,
    language: site.language,
    texts,
    consent: { button, above, below },
  }
  const { stillLoading, heading, text, call, form } = site.scriptProblems
  const html = renderToString(<Island {...props} />)
  return (
    // Focusable, so a call-to-action link also moves keyboard focus here.
    <section
      id={id}
      tabIndex={-1}
      aria-label={label}
      className="relative rounded-3xl border border-line bg-card p-[20px] raised sm:p-8 print:hidden"
    >
      {children}
      {isOff ? (
        <CallInstead problems={site.scriptProblems} />
      ) : (
        <>
          <div
            data-questionnaire={JSON.stringify(props)}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own markup, rendered above for hydration
            dangerouslySetInnerHTML={{ __html: html }}
          />
          {/* Sits in the panel's padding, so it takes up no extra space. */}
          <p role="status" data-still-loading={stillLoading} className="absolute bottom-0 text-note text-ink-soft" />
          <div hidden data-script-missing role="alert" className="grid gap-4 pb-8">
            <p className="text-title font-bold">{heading}</p>
            <p>{text}</p>
            <CallLink label={call} />
            {hasReceiver && <p>{form}</p>}
          </div>
          <noscript>
            {hasReceiver ? (
              <PlainForm
                copy={site.plainForm}
                language={site.language}
                page={path}
                consentVersion={props.destination.consentVersion}
                questionnaireVersion={props.destination.questionnaireVersion}
                variant={props.destination.variant}
              />
            ) : (
              <CallInstead problems={site.scriptProblems} />
            )}
          </noscript>
        </>
      )}
    </section>
  )
}

function CallInstead({ problems: { withoutForm, call } }: { readonly problems: SiteCopy['scriptProblems'] }) {
  return (
    <>
      <p className="mb-4">{withoutForm}</p>
      <CallLink label={call} />
    </>
  )
}
