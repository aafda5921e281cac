/** By what leads are counted apart. */
import type { Options, Typed } from '../command.ts'
import { Misuse } from '../failure.ts'

/** A campaign parameter of several names is read from the first that a lead has. */
export type Grouping = 'page' | 'day' | { readonly parameters: readonly string[] }

export const byOption: Options = {
  by: {
    value: 'WHAT',
    about: 'Counts by campaign (utm_campaign), page or day, or by another parameter such as utm_source.',
  },
}

export function readGrouping(typed: Typed): Grouping | null {
  const by = typed.text('by')
  if (by === undefined) return null
  if (by === 'page' || by === 'day') return by
  if (by === 'campaign') return { parameters: ['utm_campaign', 'campaign'] }
  if (/^[\w-]{1,60}$/.test(by)) return { parameters: [by] }
  throw new Misuse(`--by is ${JSON.stringify(by)}, but must be campaign, page, day, or a parameter such as utm_source.`)
}
