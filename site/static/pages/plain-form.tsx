/** Redisplays the plain form with the visitor's input and the errors. The server fills in the slots. */

import { fileIn } from '../../../domain/languages.ts'
import type { PlainFormCopy } from '../../../site-folder/types.ts'
import { type Page, type PageProps, plainPage, type SiteCopy } from '../page.ts'
import { PlainForm } from '../plain-form.tsx'

type PlainFormPageCopy = PlainFormCopy['problem']

export function plainFormPage(copy: PlainFormPageCopy, site: SiteCopy): Page {
  return {
    ...plainPage(null, fileIn(site.language, 'plain-form.html'), copy, site),
    render: props => <RedisplayedForm {...props} copy={copy} site={site} />,
  }
}

interface RedisplayedFormProps extends PageProps {
  readonly copy: PlainFormPageCopy
  readonly site: SiteCopy
}

function RedisplayedForm({ copy: { heading, lead }, site, destination }: RedisplayedFormProps) {
  return (
    <div className="mx-auto max-w-2xl px-[20px] py-10">
      <div role="alert" className="mb-8 rounded-2xl border-2 border-error bg-error-soft p-6">
        <h1 className="text-heading">{heading}</h1>
        <p className="pt-2">{lead}</p>
        <ul className="grid list-disc gap-3 pt-3 pl-6" data-slot="summary" />
      </div>
      <PlainForm
        copy={site.plainForm}
        language={site.language}
        page="{{page}}"
        consentVersion={destination.consentVersion}
        questionnaireVersion={destination.questionnaireVersion}
        slots
      />
    </div>
  )
}
