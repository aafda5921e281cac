/** The plain form again, with what was entered and the errors. The server fills in the slots. */
import { type Page, type PageProps, type PageTitle, plainPage, type SiteWords } from '../page.ts'
import { PlainForm } from '../plain-form.tsx'

interface PlainFormPageWords extends PageTitle {
  readonly heading: string
  readonly lead: string
}

export function plainFormPage(words: PlainFormPageWords, site: SiteWords): Page {
  return {
    ...plainPage(null, 'plain-form.html', words, site),
    render: props => <PlainFormAgain {...props} words={words} site={site} />,
  }
}

interface PlainFormAgainProps extends PageProps {
  readonly words: PlainFormPageWords
  readonly site: SiteWords
}

function PlainFormAgain({ words: { heading, lead }, site, destination }: PlainFormAgainProps) {
  return (
    <div className="mx-auto max-w-2xl px-[20px] py-10">
      <div role="alert" className="mb-8 rounded-2xl border-2 border-error bg-error-soft p-6">
        <h1 className="text-heading">{heading}</h1>
        <p className="pt-2">{lead}</p>
        <ul className="list-disc pt-3 pl-6" data-slot="summary" />
      </div>
      <PlainForm
        words={site.plainForm}
        language={site.language}
        page="{{page}}"
        consentVersion={destination.consentVersion}
        questionnaireVersion={destination.questionnaireVersion}
        slots
      />
    </div>
  )
}
