/** Testimonials: invented ones may not be shown, and real ones only with a permission on record (16 CFR 465). */
import { dayAfter, isDay } from '../../domain/calendar-day.ts'
import type { LaunchFinding } from '../findings.ts'
import { type BuiltPage, elements, nameOf, oneLine, textOf } from '../page.ts'

interface Testimonial {
  readonly name: string
  readonly text: string
  readonly sample: boolean
  readonly permission?: { readonly given: string; readonly record: string }
}

export function testimonialFindings(
  pages: readonly BuiltPage[],
  testimonials: readonly Testimonial[],
): readonly LaunchFinding[] {
  const quotes = pages.flatMap(page =>
    elements(page.root, 'blockquote').map(quote => ({ page, text: withoutQuotationMarks(textOf(quote)) })),
  )
  const shown = testimonials.filter(({ text }) => quotes.some(quote => quote.text === oneLine(text)))
  const unlisted = quotes.filter(quote => !testimonials.some(({ text }) => oneLine(text) === quote.text))
  return [
    ...shown.flatMap((testimonial): LaunchFinding[] => {
      const { name, sample } = testimonial
      if (sample) return [{ code: 'sample_testimonial', subject: name, change: at(name, 'sample:') }]
      return [{ code: 'testimonial_without_permission', subject: name, change: at(name), ...beforeDayOf(testimonial) }]
    }),
    ...unlisted.map(
      ({ page, text }): LaunchFinding => ({
        code: 'unlisted_testimonial',
        subject: nameOf(page),
        detail: text,
        change: { after: [text.slice(0, 30)] },
      }),
    ),
  ]
}

const at = (name: string, ...further: readonly string[]) => ({ after: [`name: '${name}'`, ...further] })

/** A permission on record ends the finding on the day it was given; what is noted for a day to come is none yet. */
function beforeDayOf({ permission }: Testimonial): Pick<LaunchFinding, 'to'> {
  if (!permission || !isDay(permission.given) || permission.record.trim() === '') return {}
  return { to: dayAfter(permission.given, -1) }
}

const withoutQuotationMarks = (text: string) => text.replace(/^[“"]/, '').replace(/[”"]$/, '')
