/** Kind, never a rejection: what else exists, what to do next, and a person to call. */
import type { LinkedText as Text } from '../../../content/links.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CallLink } from '../call-link.tsx'
import { LinkedText } from '../linked-text.tsx'
import { fileAt, type Page, type PageTitle, plainPage, type SiteWords } from '../page.ts'
import { type CardContent, Cards } from '../sections/cards.tsx'

interface Program extends CardContent {
  readonly link: { readonly text: string; readonly href: string }
}

interface DeclineWords extends PageTitle {
  readonly heading: string
  readonly lead: string
  readonly programsHeading: string
  readonly programs: readonly Program[]
  readonly external: string
  readonly next: { readonly heading: string; readonly items: readonly Text[]; readonly again: string }
  readonly call: {
    readonly heading: string
    readonly text: string
    readonly label: string
    readonly hours: string | null
  }
}

export function declinePage(path: string, words: DeclineWords, site: SiteWords): Page {
  return { ...plainPage(path, fileAt(path), words, site), render: () => <Decline words={words} /> }
}

function Decline({ words }: { words: DeclineWords }) {
  const { next, call } = words
  return (
    <div className="px-5 py-10 lg:py-16">
      <div className="mx-auto max-w-6xl">
        <h1 className="max-w-4xl text-headline lg:text-display">{words.heading}</h1>
        <p className="max-w-[60ch] pt-5 text-lead">{words.lead}</p>
        <h2 className="pt-12 text-heading">{words.programsHeading}</h2>
        <Cards items={words.programs}>
          {({ icon, link }) => (
            <div className="mt-auto pt-5">
              <ButtonLink href={link.href} look={icon === 'medicaid' ? 'solid' : 'outlined'} className="w-full">
                {link.text}
                <span className="sr-only"> {words.external}</span>
              </ButtonLink>
            </div>
          )}
        </Cards>
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
            <ButtonLink href="/" look="outlined" className="mt-7">
              {next.again}
            </ButtonLink>
          </div>
          <div className="self-start rounded-2xl bg-sage p-7">
            <h2 className="text-title">{call.heading}</h2>
            <p className="pt-2 pb-5">{call.text}</p>
            <CallLink label={call.label} className="w-full" />
            {call.hours !== null && <p className="pt-3 text-note">{call.hours}</p>}
          </div>
        </div>
      </div>
    </div>
  )
}
