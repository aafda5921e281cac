/** Error pages: what happened, a link home, and a number to call. */

import { telHref } from '../../../domain/contact/phone.ts'
import { fileIn, pathInLanguage } from '../../../domain/languages.ts'
import { organization } from '../../../site-folder/site.ts'
import type { NotFoundCopy, ProblemCopy } from '../../../site-folder/types.ts'
import unknownPath from '../../browser/inline/unknown-path.ts?inline-script'
import { ButtonLink, outlined } from '../../components/button.tsx'
import { CallLink } from '../call.tsx'
import { type Page, plainPage, type SiteCopy } from '../page.ts'

export function problemPage(file: string, copy: ProblemCopy, site: SiteCopy): Page {
  return {
    ...plainPage(null, fileIn(site.language, file), copy, site),
    hasCallButton: true,
    render: () => <Problem copy={copy} site={site} />,
  }
}

/** Sent when a request is refused or fails. */
export function shortProblemPage(file: string, copy: ProblemCopy, site: SiteCopy): Page {
  return {
    ...problemPage(file, copy, site),
    isShort: true,
    render: () => <ShortProblem copy={copy} site={site} />,
  }
}

/** Also logs the unknown path to the console. */
export function notFoundPage(copy: NotFoundCopy, site: SiteCopy): Page {
  return { ...problemPage('not-found.html', copy, site), bodyScripts: [unknownPath], note: copy.consoleNote }
}

interface ProblemProps {
  readonly copy: ProblemCopy
  readonly site: SiteCopy
}

function Problem({ copy: { heading, text, help, home, callLead }, site: { language, relay } }: ProblemProps) {
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-1 justify-items-center gap-5 px-[20px] py-16 text-center lg:py-28">
      <h1 className="text-headline lg:text-display">{heading}</h1>
      <p className="text-title">{text}</p>
      {help && <p className="text-ink-soft">{help}</p>}
      <ButtonLink href={pathInLanguage(language, '/')} className="mt-3">
        {home}
      </ButtonLink>
      <p className="pt-6">{callLead}</p>
      <CallLink look={outlined} />
      {relay && <p>{relay}</p>}
    </div>
  )
}

function ShortProblem({ copy: { heading, text, help, home, callLead }, site: { language, relay } }: ProblemProps) {
  return (
    <>
      <h1>{heading}</h1>
      <p>{text}</p>
      {help && <p>{help}</p>}
      <p>
        <a href={pathInLanguage(language, '/')}>{home}</a>
      </p>
      <p>{callLead}</p>
      <p>
        <a href={telHref(organization.phone)}>{organization.phone}</a>
      </p>
      {relay && <p>{relay}</p>}
    </>
  )
}
