/** What brings visitors to the pages, and how often in an hour of the week. */
import type { Chance } from './chance.ts'

export interface Source {
  readonly page: '/' | '/advertorial'
  readonly campaign: Readonly<Record<string, string>>
}

/** Each with how many visitors of a hundred it brings, and how many of a hundred of them become leads. */
export const sources: readonly (Source & { readonly share: number; readonly rate: number })[] = [
  {
    page: '/',
    campaign: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'ssdi-help', gclid: 'demo' },
    share: 30,
    rate: 9,
  },
  {
    page: '/advertorial',
    campaign: { utm_source: 'facebook', utm_medium: 'paid', utm_campaign: 'back-pay-story', fbclid: 'demo' },
    share: 24,
    rate: 6,
  },
  { page: '/', campaign: {}, share: 16, rate: 7 },
  {
    page: '/advertorial',
    campaign: { utm_source: 'taboola', utm_medium: 'native', utm_campaign: 'over-50' },
    share: 14,
    rate: 4,
  },
  {
    page: '/',
    campaign: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'november' },
    share: 8,
    rate: 12,
  },
  { page: '/', campaign: { utm_source: 'bing', utm_medium: 'cpc', utm_campaign: 'ssdi-help' }, share: 5, rate: 10 },
  { page: '/', campaign: { utm_source: 'radio', utm_campaign: 'morning-show' }, share: 3, rate: 8 },
]

/** Sunday first. */
const weekdays = [0.55, 1.15, 1.1, 1.05, 1, 0.9, 0.5]

/** The share of a day's visits that have come by an hour, from midnight on: quiet nights, busy late mornings. */
const hours = [1, 1, 0.5, 0.5, 0.5, 1, 2, 4, 6, 8, 9, 9, 8, 7, 7, 7, 6, 6, 6, 6, 5, 4, 3, 2]
const ofDay = hours.reduce((sum, share) => sum + share, 0)

/** Visits of a day of the week, up to an hour of it that need not be full. */
export function visitsOf(weekday: number, hour: number, chance: Chance): number {
  const whole = 520 * (weekdays[weekday] ?? 1) * (0.88 + 0.24 * chance.next())
  const come = hours.reduce((sum, share, at) => sum + share * Math.min(1, Math.max(0, hour - at)), 0)
  return Math.round((whole * come) / ofDay)
}

/** An hour of the day, by its busyness, but none after the latest. */
export function hourOfVisit(latest: number, chance: Chance): number {
  const until = hours.map((share, at) => [at, share * Math.min(1, Math.max(0, latest - at))] as const)
  const at = chance.weighted(until)
  return at + chance.next() * Math.min(1, latest - at)
}
