/** The plain form again, with what was entered and what is missing: the server fills in its slots. */
import { plainForm } from '../../content/plain-form.ts'
import { PlainForm } from '../questionnaire/plain-form.tsx'
import type { PageProps } from './page.ts'

export function PlainFormPage({ destination, builtOn }: PageProps) {
  const { heading, lead } = plainForm.problem
  return (
    <div className="mx-auto max-w-2xl px-5 py-10">
      <div role="alert" className="mb-8 rounded-2xl border-2 border-error bg-error-soft p-6">
        <h1 className="text-heading">{heading}</h1>
        <p className="pt-2">{lead}</p>
        <ul className="list-disc pt-3 pl-6" data-slot="summary" />
      </div>
      <PlainForm page="{{page}}" consentVersion={destination.consentVersion} builtOn={builtOn} slots />
    </div>
  )
}
