/** A month of made-up leads, the same every time: planned first, then stored as if received at the planned times. */
import { campaignKey } from '../../../domain/campaigns/campaign.ts'
import { formatPhone } from '../../../domain/contact/phone.ts'
import { HOUR, MINUTE } from '../../../domain/durations.ts'
import { ENGLISH, pathInLanguage } from '../../../domain/languages.ts'
import { certificateUrl } from '../../../domain/leads/certificate.ts'
import type { Contact } from '../../../domain/leads/lead.ts'
import { ORIGINAL } from '../../../domain/visits/variants.ts'
import { copyIn, type ServerCopy } from '../../../server/http/site-manifest.ts'
import { createCalendar } from '../../../server/settings/calendar.ts'
import { asOneRequest } from '../../../server/store/facts/do-not-call/stops.ts'
import type { LeasedMessage } from '../../../server/store/operations/deliveries/lease.ts'
import type { Store } from '../../../server/store/store.ts'
import type { PageCounts, QuestionCounts } from '../../../server/store/tables/page-views.ts'

export const ERASURE_KEY = 'the demo needs no secret: no one in it exists'
/** Leads that arrived within the last hour. */
export const NEWEST = 24
export const SPACING = 2 * MINUTE
/** Some of them are in Hawaii or Guam, where the hours differ most. */
const farAway: Readonly<Record<number, string>> = { 1: '671', 3: '671', 6: '808' }
/** Long enough that a leased delivery stays leased until it's settled. */
const LEASE_MS = 31 * 24 * HOUR
/** Roughly the retry schedule in server/delivery. */
const RETRIES = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

const firstNames =
  `Adelaide Alton Bernice Calvin Cornelius Delphine Edgar Estelle Florence Geneva Harriet Ida Irving José
  Lenora Loretta María Minerva Odessa Orville Ramona Renée Selma Theodora Verna Wendell Zelda`.split(/\s+/)
const lastNames =
  `Applegate Birdwell Cobblestone Crabtree Dewberry Eastwick Fairweather Gooseberry Halfpenny Honeycutt Larkspur
  Lightfoot Merriweather Nightingale Núñez Oakenshaw O’Thistle Partridge Quillfeather Saltmarsh Thistlewood Underhill
  Weatherby Winterbourne`.split(/\s+/)
/** In every time zone, some in two possible ones. */
const areaCodes =
  `201 212 215 216 305 313 401 404 502 617 850 919 214 312 504 512 605 612 615 713 208 303 505 801 520 602 206 213 415 503
  702 907 808 670 671 684 340 787`.split(/\s+/)
const spanishNames = ['José', 'María', 'Ramona', 'Núñez']
/** The visits that bring in one Spanish-speaking lead. */
const spanishVisits = { views: 14, declined: 2, thanked: 1 }
const userAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.2 Mobile/15E148 Safari/604.1'

/** Each source's percentage of all visitors, and the percentage of its visitors who become leads. */
const sources: readonly (readonly [page: string, parameters: string, share: number, rate: number])[] = [
  ['/', 'utm_source=google&utm_medium=cpc&utm_campaign=ssdi-help&gclid=demo', 30, 9],
  ['/advertorial', 'utm_source=facebook&utm_medium=paid&utm_campaign=back-pay-story&fbclid=demo', 24, 6],
  ['/', '', 16, 7],
  ['/advertorial', 'utm_source=taboola&utm_medium=native&utm_campaign=over-50', 14, 4],
  ['/', 'utm_source=newsletter&utm_medium=email&utm_campaign=november', 8, 12],
  ['/', 'utm_source=bing&utm_medium=cpc&utm_campaign=ssdi-help', 5, 10],
  ['/', 'utm_source=radio&utm_campaign=morning-show', 3, 8],
]
/** The home page tests a second headline. Half of its visitors see it, and four of seven leads come from it. */
const headlinesOn = (page: string) => (page === '/' ? [ORIGINAL, 'plain'] : [''])
/** Relative traffic by weekday (Sunday first) and by hour. */
const weekdays = [0.55, 1.15, 1.1, 1.05, 1, 0.9, 0.5]
const hours = [1, 1, 0.5, 0.5, 0.5, 1, 2, 4, 6, 8, 9, 9, 8, 7, 7, 7, 6, 6, 6, 6, 5, 4, 3, 2]

type Fate = 'delivered' | 'delivered late' | 'dead' | 'failing' | 'held' | 'do not call' | 'rejected' | 'erased'

interface PlannedLead {
  readonly at: number
  readonly page: string
  readonly variant: string
  readonly campaign: Readonly<Record<string, string>>
  readonly contact: Contact
  readonly fate: Fate
  readonly holdReason: string | null
  readonly clientAddress: string
  readonly userAgent: string
}

/** Special leads, by position in the month. */
const specialLeads: readonly (readonly [position: number, fate: Fate, holdReason?: string, name?: string])[] = [
  [0.31, 'rejected', 'a link in the name', 'www.example.com'],
  [0.52, 'rejected', 'many from one address'],
  [0.6, 'dead'],
  [0.64, 'dead'],
  [0.71, 'erased'],
  [0.83, 'dead'],
  [0.9, 'held', 'it came under another name'],
  [0.955, 'held', 'many from one network'],
  [0.975, 'held', 'many from one address'],
  [0.982, 'held', 'many from everywhere'],
  [0.987, 'do not call'],
  [0.991, 'held', 'a link in the name', 'https://example.com/prize'],
]

export function planMonth(now: number, timeZone: string, copy: ServerCopy, days = 30) {
  const ages = copy.ages ?? { from: 55, to: 64 }
  const questionCount = copyIn(copy, ENGLISH).questions.length
  const random = createRandom(7)
  const calendar = createCalendar(timeZone)
  const today = calendar.dateOf(now)
  const leads: PlannedLead[] = []
  const views: PageCounts[] = []
  const questions: QuestionCounts[] = []
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1))
  const pick = <T>(of: readonly T[]): T => of[between(0, of.length - 1)] as T
  const pad = (value: number) => String(value).padStart(2, '0')
  const year = new Date(now).getUTCFullYear()

  const usedNumbers = new Map<string, number>()

  /** In each area code, 555-0100 to 555-0199 are set aside for fiction. None is reused. Mail to example.org reaches no one. */
  function unusedPhone(areaCode = pick(areaCodes)): string {
    const used = usedNumbers.get(areaCode) ?? 0
    usedNumbers.set(areaCode, used + 1)
    return formatPhone(`${areaCode}55501${pad(used)}`)
  }

  function person(): Contact {
    const [firstName, lastName] = [pick(firstNames), pick(lastNames)]
    const ascii = `${firstName}.${lastName}`.normalize('NFD').replaceAll(/[^a-z.]/gi, '')
    return {
      firstName,
      lastName,
      dateOfBirth: `${between(year - ages.to, year - ages.from - 2)}-${pad(between(1, 12))}-${pad(between(1, 28))}`,
      email: `${ascii.toLowerCase()}${leads.length}@example.org`,
      phone: unusedPhone(),
    }
  }

  for (let ago = days - 1; ago >= 0; ago--) {
    const day = calendar.daysAfter(today, -ago)
    const start = calendar.startOf(day)
    const byHour = hours.map((share, hour) => share * Math.min(1, Math.max(0, (now - start) / HOUR - hour)))
    const visits = 4.3 * (weekdays[new Date(`${day}T00:00Z`).getUTCDay()] ?? 1) * (0.88 + 0.24 * random()) * sum(byHour)
    for (const [page, parameters, share, rate] of sources) {
      const campaign = Object.fromEntries(new URLSearchParams(parameters))
      const seen = Math.round((visits * share) / 100)
      const thanked = Math.round((seen * rate * (0.7 + 0.6 * random())) / 100)
      const declined = Math.round((seen - thanked) * (0.1 + 0.1 * random()))
      const headlines = headlinesOn(page)
      const variants = Array.from({ length: thanked }, (_, index) =>
        headlines.at((leads.length + index) % 7 < 4 ? -1 : 0),
      )
      for (const variant of headlines) {
        const half = (count: number) => Math.round(count / headlines.length)
        const bucket = { day, page, variant, campaign: campaignKey(campaign) }
        const counts = {
          views: half(seen),
          declined: half(declined),
          thanked: variants.filter(each => each === variant).length,
        }
        views.push({ ...bucket, asks: true, ...counts })
        const reached = reachedOf(questionCount, counts.views, counts.declined + counts.thanked)
        questions.push(...reached.map((people, index) => ({ ...bucket, question: index + 1, reached: people })))
      }
      for (let index = 0; index < thanked; index++) {
        const at = Math.floor(Math.min(start + (weighted(byHour, random()) + random()) * HOUR, now - MINUTE))
        const fate = random() < 0.015 ? 'delivered late' : 'delivered'
        const clientAddress = `203.0.113.${between(1, 254)}`
        const contact = person()
        const language = languageOf({ contact })
        const shown = pathInLanguage(language, page)
        const variant = language === 'es' ? '' : (variants[index] ?? '')
        if (language === 'es')
          views.push({ day, page: shown, variant, campaign: campaignKey(campaign), asks: true, ...spanishVisits })
        leads.push({ at, page: shown, variant, campaign, contact, fate, holdReason: null, clientAddress, userAgent })
      }
    }
  }
  leads.sort((a, b) => a.at - b.at)
  for (const [position, fate, holdReason = null, link] of specialLeads) {
    const index = Math.floor(leads.length * position)
    const lead = leads[index] as PlannedLead
    const contact = link ? { ...lead.contact, firstName: 'Win big', lastName: link } : lead.contact
    leads[index] = { ...lead, fate, holdReason, contact }
  }
  const early = leads.filter(({ at, fate }) => fate === 'delivered' && at < now - 9 * 24 * HOUR && random() < 0.05)
  const repeats = early.map(lead => ({
    ...lead,
    at: lead.at + between(2, 9 * 24) * HOUR,
    page: pathInLanguage(languageOf(lead), '/'),
    variant: '',
    campaign: {},
  }))
  // There's always someone who has just arrived. The webhook failed just now, so two of them will be retried.
  for (const [index, lead] of leads.splice(-NEWEST).entries()) {
    const at = Math.max(lead.at, now - (NEWEST - index) * SPACING)
    const areaCode = farAway[index]
    const contact = areaCode === undefined ? lead.contact : { ...lead.contact, phone: unusedPhone(areaCode) }
    leads.push({ ...lead, at, contact, ...(index >= NEWEST - 2 && { fate: 'failing' }) })
  }
  return { leads: [...leads, ...repeats].toSorted((a, b) => a.at - b.at), views, questions }
}

/** Most who leave do so at question 1, and a few at the contact form. */
function reachedOf(questionCount: number, seen: number, finished: number): readonly number[] {
  const [first, last] = [Math.max(finished, Math.round(seen * 0.55)), Math.min(seen, Math.round(finished * 1.2))]
  const answered = (question: number) => Math.round(first + ((last - first) * question) / (questionCount - 1))
  return [first, ...Array.from({ length: questionCount }, (_, index) => answered(index))]
}

/** The store's clock: returns each time in `next` once, then `at`. */
export interface DemoClock {
  at: number
  readonly next: number[]
}

/** Someone to call. */
export interface DemoLead {
  readonly id: string
  readonly at: number
  readonly phone: string
  readonly language: 'en' | 'es'
}

/** By language. */
type DemoTexts = Readonly<Record<'en' | 'es', { readonly consent: string; readonly questionnaire: string }>>

interface DemoForm {
  readonly texts: DemoTexts
  /** Whether the leads are on the call list. */
  readonly callFromDesk: boolean
}

/** Returns the leads to call, oldest first. */
export async function fillDemo(
  store: Store,
  clock: DemoClock,
  month: ReturnType<typeof planMonth>,
  { texts, callFromDesk }: DemoForm,
) {
  const now = clock.at
  const by = 'Maria Lopez'
  clock.at = now - LEASE_MS
  const save = async ({ consent, questionnaire }: DemoTexts['en']) => ({
    consentVersion: await store.saveConsentText(consent),
    questionnaireVersion: await store.saveQuestionnaire(questionnaire),
  })
  const versions = { en: await save(texts.en), es: await save(texts.es) }
  const form = { trustedForm: 'on', deliver: true, announceRepeat: false, callFromDesk } as const
  const capture = ({ at, fate: _, ...lead }: PlannedLead) => {
    clock.at = at
    const url = certificateUrl((at.toString(16) + 'd3'.repeat(20)).slice(0, 40))
    const language = languageOf(lead)
    const certificate = { kind: 'present', url } as const
    return store.capture({ ...lead, ...form, ...versions[language], language, certificate })
  }
  await store.addPageCounts({ views: month.views, questions: month.questions })
  for (const { fate, contact } of month.leads) {
    const { email, phone } = contact
    if (fate !== 'do not call') continue
    await store.addToDoNotCall({ ...asOneRequest([{ phone }, { email }]), by, source: 'desk' })
  }
  const accepted: DemoLead[] = []
  // Capture in groups, because the leads in a group share a commit.
  for (let start = 0; start < month.leads.length; start += 200) {
    const group = month.leads.slice(start, start + 200)
    const captured = await Promise.all(group.map(capture))
    for (const [index, lead] of group.entries()) {
      const { id, state } = captured[index] ?? {}
      if (id === undefined || state !== 'accepted' || lead.fate === 'erased') continue
      accepted.push({ id, at: lead.at, phone: lead.contact.phone, language: languageOf(lead) })
    }
    const byId = new Map(group.map((lead, index) => [captured[index]?.id ?? '', lead]))
    const leased = await store.lease({ limit: group.length, leaseMs: LEASE_MS })
    const due = leased.map(delivery => ({ delivery, lead: byId.get(delivery.leadId) as PlannedLead }))
    const prompt = due.filter(({ lead }) => lead.fate === 'delivered')
    clock.next.push(...prompt.map(({ lead }) => lead.at + 130 + (lead.at % 420)))
    await Promise.all(
      prompt.map(({ delivery: { id, leaseToken }, lead }) =>
        store.settle({ id, leaseToken, durationMs: 90 + (lead.at % 420), result: 'delivered', status: 200 }),
      ),
    )
    for (const { delivery, lead } of due) {
      if (lead.fate !== 'delivered') await deliver(store, clock, lead, delivery, now)
    }
    for (const [id, { at, fate }] of byId) {
      clock.at = at + 3 * HOUR
      if (fate === 'rejected') await store.reject({ ids: [id], reason: 'spam', by })
      if (fate === 'erased') await store.erase({ ids: [id], key: ERASURE_KEY, by })
    }
  }
  clock.at = now
  return accepted
}

const languageOf = ({ contact: { firstName, lastName } }: Pick<PlannedLead, 'contact'>) =>
  spanishNames.includes(firstName) || spanishNames.includes(lastName) ? 'es' : 'en'

const failures: Readonly<Partial<Record<Fate, number>>> = { 'delivered late': 2, failing: 4, dead: RETRIES.length }

/** Attempts one delivery on its retry schedule, up to now. */
async function deliver(store: Store, clock: DemoClock, { at, fate }: PlannedLead, first: LeasedMessage, now: number) {
  let leased: LeasedMessage | undefined = first
  clock.at = at
  for (let attempt = 0; leased; attempt++) {
    const base = { id: leased.id, leaseToken: leased.leaseToken, durationMs: 250, status: 503 }
    const reason = 'the webhook answered 503'
    const retryInMs = RETRIES[attempt]
    clock.at += 250
    if (attempt >= (failures[fate] ?? 0) || retryInMs === undefined) {
      if (fate === 'dead') await store.settle({ ...base, result: 'dead', reason })
      else await store.settle({ ...base, result: 'delivered', status: 200 })
      return
    }
    await store.settle({ ...base, result: 'retry', reason, retryInMs })
    if (clock.at + retryInMs > now) return
    clock.at += retryInMs
    leased = (await store.lease({ limit: 1, leaseMs: LEASE_MS }))[0]
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** A weighted random index. */
export function weighted(weights: readonly number[], chance: number): number {
  let left = chance * sum(weights)
  return weights.findIndex(weight => {
    left -= weight
    return left < 0
  })
}

/** A Lehmer random number generator. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}
