/** Whether a variant brings more leads than the page as it was, or whether that may as well be chance. */
import { differenceInterval, type Interval, shareInterval } from '../../domain/proportions.ts'
import { ORIGINAL } from '../../domain/variants.ts'
import { type Funnel, type Group, percent } from './funnel-report.ts'

export interface Comparison {
  readonly variant: string
  /** Leads of those who viewed it, with what that may be by chance in 95 of 100 cases. */
  readonly share: number
  readonly interval: Interval
  /** How much more, of all who view, become leads than with the original. Null for the original itself. */
  readonly difference: Interval | null
  readonly verdict: 'the original' | 'more' | 'fewer' | 'no difference shown yet'
}

export function comparisons({ by, groups }: Funnel): readonly Comparison[] {
  const original = by === 'variant' ? groups.find(({ name }) => name === ORIGINAL) : undefined
  const others = groups.filter(({ name, leads }) => name !== ORIGINAL && !name.startsWith('(') && leads !== null)
  if (!original || original.leads === null || others.length === 0) return []
  return [compared(original, null), ...others.map(group => compared(group, original))]
}

function compared(group: Group, original: Group | null): Comparison {
  const proportion = proportionOf(group)
  const difference = original && differenceInterval(proportion, proportionOf(original))
  return {
    variant: group.name,
    share: proportion.of === 0 ? 0 : proportion.count / proportion.of,
    interval: shareInterval(proportion),
    difference,
    verdict: difference ? verdictOn(difference) : 'the original',
  }
}

/** A page that was open for a day may bring a lead without a view of that day. */
function proportionOf({ viewed, leads }: Group) {
  return { count: Math.min(leads ?? 0, viewed), of: viewed }
}

function verdictOn({ low, high }: Interval): Comparison['verdict'] {
  if (low > 0) return 'more'
  return high < 0 ? 'fewer' : 'no difference shown yet'
}

export function inWords({ variant, share, interval, difference, verdict }: Comparison): string {
  const leads = `${variant}: ${percent(share)} become leads (${percent(interval.low)} to ${percent(interval.high)})`
  if (!difference) return `${leads}.`
  const range = `${points(difference.low)} to ${points(difference.high)} points`
  if (verdict === 'no difference shown yet')
    return `${leads}.\n  No difference shown yet: ${range} against ${ORIGINAL}.`
  return `${leads}.\n  ${verdict === 'more' ? 'More' : 'Fewer'} than ${ORIGINAL}: ${range}, 95% sure.`
}

function points(difference: number): string {
  return `${difference < 0 ? '-' : '+'}${Math.abs(difference * 100).toFixed(1)}`
}
