/** The decline page, kind and never a rejection: programs people can get today, why not SSDI now, and someone to call. */
import { pathInLanguage } from '../../../domain/languages.ts'
import { questions } from '../../../site-folder/site.ts'
import type { DeclineCopy } from '../../../site-folder/types.ts'
import declineReasons from '../../browser/inline/decline-reasons.ts?inline-script'
import { ButtonLink, outlined } from '../../components/button.tsx'
import { CallCard } from '../call.tsx'
import { Icon } from '../icon.tsx'
import { LinkedText } from '../linked-text.tsx'
import { fileAt, type Page, type PageProps, plainPage, type SiteCopy } from '../page.ts'
import { Picture } from '../sections/picture.tsx'

export function declinePage(path: string, copy: DeclineCopy, site: SiteCopy): Page {
  return {
    ...plainPage(path, fileAt(path), copy, site),
    hasCallButton: true,
    bodyScripts: [declineReasons],
    render: ({ assets }) => <Decline copy={copy} site={site} assets={assets} />,
  }
}

interface DeclineProps extends Pick<PageProps, 'assets'> {
  readonly copy: DeclineCopy
  readonly site: SiteCopy
}

function Decline({ copy, site, assets }: DeclineProps) {
  const { next, call } = copy
  return (
    <div className="px-[20px] py-10 lg:py-16">
      <div className="mx-auto max-w-6xl">
        <div className="grid grid-cols-1 items-center gap-x-16 gap-y-8 lg:grid-cols-[3fr_2fr]">
          <div>
            <h1 className="text-headline lg:text-[3.25rem]">{copy.heading}</h1>
            <p className="max-w-[60ch] pt-5 text-lead">{copy.lead}</p>
          </div>
          <Picture of="paths" assets={assets} alt="" className="rounded-3xl bg-amber" />
        </div>
        <h2 className="pt-12 text-heading">{copy.programsHeading}</h2>
        <Programs copy={copy} />
        <Reasons copy={copy} />
        <div className="mt-14 grid grid-cols-1 gap-10 lg:grid-cols-[3fr_2fr]">
          <div>
            <h2 className="text-heading">{next.heading}</h2>
            <ul className="grid list-disc gap-3 pt-5 pl-6 marker:text-action">
              {next.items.map(item => (
                <li key={String(item)}>
                  <LinkedText text={item} />
                </li>
              ))}
            </ul>
            <ButtonLink href={pathInLanguage(site.language, '/')} look={outlined} className="mt-7 print:hidden">
              {next.again}
            </ButtonLink>
          </div>
          <CallCard copy={call} site={site} level="h2" />
        </div>
      </div>
    </div>
  )
}

/** Up to three cards in a row. */
function Programs({ copy: { programs, external } }: { readonly copy: DeclineCopy }) {
  return (
    <ul className="mt-8 grid grid-cols-1 gap-5 lg:mt-10 lg:grid-cols-3 lg:gap-7">
      {programs.map(({ icon, title, text, link }) => (
        <li key={title} className="flex flex-col rounded-3xl border border-line bg-card p-6 lg:p-7">
          {/* The icon is next to the title, or above it if three cards share a row or text is magnified. */}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:block">
            {icon && (
              <span className="grid size-12 shrink-0 place-items-center rounded-full bg-sage text-action-dark lg:mb-4">
                <Icon name={icon} />
              </span>
            )}
            <h3 className="flex-1 basis-40 text-title">{title}</h3>
          </div>
          <p className="mt-3 max-w-[62ch]">{text}</p>
          <div className="mt-auto pt-5">
            <ButtonLink href={link.href} {...(icon !== 'medicaid' && { look: outlined })} className="w-full">
              {link.text}
              <span className="sr-only"> {external}</span>
            </ButtonLink>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** All of them, folded. The script opens those that apply and hides the others. */
function Reasons({ copy }: { readonly copy: DeclineCopy }) {
  const reasons = questions.flatMap(({ id, required }, index) => {
    const reason = copy.reasons[id]
    return reason ? [{ ...reason, answer: `${index} ${required === 'no'}` }] : []
  })
  if (reasons.length === 0) return null
  return (
    <section className="not-has-[details:not([hidden])]:hidden">
      <h2 className="pt-12 pb-6 text-heading">{copy.reasonsHeading}</h2>
      {reasons.map(({ title, text, link, answer }) => (
        <details key={title} data-reason={answer} className="group border-t border-line last:border-b">
          <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-4 py-3 font-bold hover:text-action [&::-webkit-details-marker]:hidden">
            {title}
            <Icon name="expand" className="size-6 text-action group-open:rotate-180" />
          </summary>
          <p className="max-w-[66ch]">{text}</p>
          <p className="pt-2 pb-6">
            <LinkedText text={[link]} />
          </p>
        </details>
      ))}
    </section>
  )
}
