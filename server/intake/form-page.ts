/** Fills in the plain form that the build wrote as a template (site/static/plain-form.tsx), to show it again. */
import { contactFields } from '../../domain/lead.ts'
import { questionField } from '../../domain/questionnaire.ts'
import type { ServerWords } from '../http/site-manifest.ts'
import type { FormPage, FormState } from './plain-form.ts'

/** A text to fill in, a choice to mark, or the list of what is missing. */
const SLOT = /\{\{([\w:-]+)\}\}| data-slot="checked:([\w-]+):(yes|no)"| data-slot="summary">/g

export function createFormPage(
  template: string,
  questions: ServerWords['questions'],
): (page: FormPage, state: FormState) => string {
  /** Links that all say “please answer” would tell nobody where they lead. */
  const questionOf = (field: string) => questions.find((_, index) => field === questionField(index + 1))?.text
  return (page, { values, answers, errors, campaign, variant }) => {
    const slots: Record<string, string> = { page, campaign, variant }
    for (const field of contactFields) {
      slots[`value:${field}`] = values[field] ?? ''
      slots[`invalid:${field}`] = String(field in errors)
    }
    for (const [field, message] of Object.entries(errors)) slots[`error:${field}`] = message
    const summary = Object.entries(errors).map(
      ([field, message]) =>
        `<li><a class="underline" href="#field-${field}">${escapeHtml(questionOf(field) ?? message)}</a></li>`,
    )
    // One pass over the template's own slots: what a visitor typed is never read as a slot.
    return template.replace(SLOT, (_, text, question, answer) => {
      if (text !== undefined) return escapeHtml(slots[text] ?? '')
      if (question !== undefined) return answers[question] === answer ? ' checked=""' : ''
      return `>${summary.join('')}`
    })
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
