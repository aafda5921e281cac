/** A month of leads, thought up before any is stored: who comes when, from where, and what becomes of it. */

import { campaignKey } from '../../../domain/campaign.ts'
import type { Contact } from '../../../domain/lead.ts'
import { createCalendar } from '../../../server/calendar.ts'
import type { PageCounts } from '../../../server/store/page-views.ts'
import { type Chance, createChance } from './chance.ts'
import { createPeople } from './people.ts'
import { hourOfVisit, type Source, sources, visitsOf } from './visits.ts'

export const HOUR = 60 * 60_000
const DAYS = 30

export type Fate =
  | 'delivered'
  /** At the second or third attempt. */
  | 'delivered late'
  /** After every attempt. */
  | 'dead'
  /** The webhook wants no more of them. */
  | 'gone'
  /** Attempts fail, and the next is to come. */
  | 'failing'
  | 'held'
  | 'rejected'
  | 'erased'

export interface PlannedLead extends Source {
  readonly at: number
  readonly contact: Contact
  readonly fate: Fate
  readonly holdReason: string | null
  readonly clientAddress: string
  readonly userAgent: string
  readonly certified: boolean
}

export interface Month {
  /** In the order of their arrival. */
  readonly leads: readonly PlannedLead[]
  readonly views: readonly PageCounts[]
  /** Who asked not to be called, and came again. */
  readonly doNotCall: PlannedLead
}

const browsers = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.2 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0',
]

export function planMonth(now: number, timeZone: string): Month {
  const chance = createChance(7)
  const calendar = createCalendar(timeZone)
  const person = createPeople(chance, now)
  const today = calendar.dateOf(now)
  const leads: PlannedLead[] = []
  const views: PageCounts[] = []
  for (let ago = DAYS - 1; ago >= 0; ago--) {
    const day = calendar.daysAfter(today, -ago)
    const start = calendar.startOf(day)
    const latest = ago === 0 ? Math.min(24, (now - start) / HOUR) : 24
    for (const source of sources) {
      const seen = Math.round((visitsOf(weekdayOf(day), latest, chance) * source.share) / 100)
      const converted = Math.round((seen * source.rate * (0.7 + 0.6 * chance.next())) / 100)
      views.push(viewsOf(day, source, seen, converted, chance))
      for (let index = 0; index < converted; index++) {
        const at = Math.floor(Math.min(start + hourOfVisit(latest, chance) * HOUR, now - 60_000))
        leads.push(ordinary(at, source, person(), chance))
      }
    }
  }
  leads.sort((a, b) => a.at - b.at)
  const doNotCall = ordinary(now - 95 * 60_000, { page: '/', campaign: {} }, person(), chance)
  return { leads: [...withIncidents(leads, now, chance, person)].sort((a, b) => a.at - b.at), views, doNotCall }
}

const weekdayOf = (day: string) => new Date(`${day}T00:00Z`).getUTCDay()

function ordinary(at: number, { page, campaign }: Source, contact: Contact, chance: Chance): PlannedLead {
  return {
    at,
    page,
    campaign,
    contact,
    fate: chance.happens(0.015) ? 'delivered late' : 'delivered',
    holdReason: null,
    clientAddress: `203.0.113.${chance.between(1, 254)}`,
    userAgent: chance.one(browsers),
    certified: chance.happens(0.9),
  }
}

/** What makes a month a real one: what is held, what did not arrive, who came twice. */
function* withIncidents(
  leads: readonly PlannedLead[],
  now: number,
  chance: Chance,
  person: () => Contact,
): Generator<PlannedLead> {
  const at = (share: number) => Math.floor(leads.length * share)
  const chosen = new Map<number, Partial<PlannedLead>>()
  const choose = (share: number, what: Partial<PlannedLead>) => chosen.set(at(share), what)
  choose(0.31, {
    fate: 'rejected',
    holdReason: 'a link in the name',
    contact: { ...person(), firstName: 'Cheap loans', lastName: 'www.example.com' },
  })
  choose(0.52, { fate: 'rejected', holdReason: 'many from one address' })
  choose(0.6, { fate: 'dead' })
  choose(0.64, { fate: 'dead' })
  choose(0.71, { fate: 'erased' })
  choose(0.83, { fate: 'gone' })
  choose(0.9, { fate: 'held', holdReason: 'it came under another name' })
  choose(0.955, { fate: 'held', holdReason: 'many from one network' })
  choose(0.975, { fate: 'held', holdReason: 'many from one address' })
  choose(0.982, { fate: 'held', holdReason: 'many from everywhere' })
  choose(0.991, {
    fate: 'held',
    holdReason: 'a link in the name',
    contact: { ...person(), firstName: 'Win big', lastName: 'https://example.com/prize' },
  })
  for (const [index, lead] of leads.entries()) {
    const changed = { ...lead, ...chosen.get(index) }
    // The webhook answers badly just now: the last two are tried again.
    const recent = index >= leads.length - 2 && changed.fate === 'delivered'
    yield recent ? { ...changed, fate: 'failing' } : changed
    if (!chosen.has(index) && chance.happens(0.05)) {
      const again = lead.at + chance.between(2, 9 * 24) * HOUR
      if (again < now - 60_000) yield { ...lead, at: again, page: '/', campaign: {}, fate: 'delivered' }
    }
  }
}

function viewsOf(day: string, { page, campaign }: Source, views: number, thanked: number, chance: Chance): PageCounts {
  const left = Math.max(0, views - thanked)
  return {
    day,
    page,
    variant: '',
    campaign: campaignKey(campaign),
    asks: true,
    views,
    bots: Math.round(views * 0.06 * chance.next()),
    prefetches: Math.round(views * 0.03 * chance.next()),
    declined: Math.round(left * (0.1 + 0.1 * chance.next())),
    thanked,
  }
}
