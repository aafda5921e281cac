/** Error pages: what happened, a link home, a number to call. */
import unknownPath from '../../browser/inline/unknown-path.ts?inline-script'
import { ButtonLink } from '../../components/button.tsx'
import { CallLink } from '../call.tsx'
import { type Page, type PageTitle, plainPage, type SiteWords } from '../page.ts'

interface ProblemWords extends PageTitle {
  readonly heading: string
  readonly text: string
  readonly help?: string
  readonly home: string
  readonly callLead: string
}

export function problemPage(file: string, words: ProblemWords, site: SiteWords): Page {
  return { ...plainPage(null, file, words, site), render: () => <Problem {...words} /> }
}

/** Also logs the unknown path to the console. */
export function notFoundPage(words: ProblemWords & { readonly consoleNote: string }, site: SiteWords): Page {
  return { ...problemPage('not-found.html', words, site), bodyScripts: [unknownPath], note: words.consoleNote }
}

function Problem({ heading, text, help, home, callLead }: ProblemWords) {
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-1 justify-items-center gap-5 px-[20px] py-16 text-center lg:py-28">
      <h1 className="text-headline lg:text-display">{heading}</h1>
      <p className="text-title">{text}</p>
      {help && <p className="text-ink-soft">{help}</p>}
      <ButtonLink href="/" className="mt-3">
        {home}
      </ButtonLink>
      <p className="pt-6">{callLead}</p>
      <CallLink look="outlined" />
    </div>
  )
}
