/** Makes stores by random use of 0.7.0, with that version's own code. The same seed makes the same store. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY, HOUR, MINUTE } from '../../domain/durations.ts'

/** The last commit of 0.7.0. */
const RELEASE = '93815861'

/** What operations answer. */
interface Answer {
  readonly id: string
  readonly kind: string
  readonly attemptId: string
}

interface Leased {
  readonly leadId: string
  readonly leaseToken: string
}

type Change =
  | 'addToDoNotCall'
  | 'approve'
  | 'capture'
  | 'claimCall'
  | 'erase'
  | 'reject'
  | 'removeFromDoNotCall'
  | 'saveCall'
  | 'setCallPlace'
  | 'setLeadLanguage'
  | 'settle'
  | 'settleEvent'
  | 'skipCall'
  | 'startCall'
  | 'undoCall'
  | 'undoDoNotCall'
  | 'withdrawCall'

/** What this drill uses of 0.7.0's store. */
export interface OldStore extends Readonly<Record<Change, (order: object) => Promise<Answer>>> {
  callNext(order: object): Promise<string | null>
  lease(order: object): Promise<readonly Leased[]>
  leaseEvents(order: object): Promise<readonly Pick<Answer, 'id'>[]>
  saveConsentText(text: string): Promise<string>
  close(): Promise<void>
}

export interface OldCode {
  open(file: string, now: () => number): OldStore
}

/** Checks 0.7.0 out into a folder. */
export async function checkOutOld(folder: string): Promise<OldCode> {
  const root = join(folder, '0.7.0')
  mkdirSync(root)
  const archive = execFileSync('git', ['archive', RELEASE, 'package.json', 'server', 'domain'], { maxBuffer: 1e8 })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  const { openSqliteStore } = await import(join(root, 'server/store/sqlite/sqlite-store.ts'))
  return { open: (file, now) => openSqliteStore(file, { now }) }
}

/** Numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed * 48_271 + 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  // The first ones of neighboring seeds are alike.
  for (let skipped = 0; skipped < 5; skipped++) next()
  return next
}

export const ERASURE_KEY = 'for-tests-only-for-tests-only-for-tests'
/** A Thursday, 10:30 in New York. */
const START = Date.UTC(2030, 0, 10, 15, 30)
const AGENTS = ['maria', 'bob', 'cal'] as const
const REASONS = [null, null, null, null, null, null, 'a link in the name', 'email looks misspelled'] as const
const OUTCOMES = [
  'going ahead',
  'not interested',
  'call back',
  'call back',
  'no answer',
  'no answer',
  'no answer',
  'voicemail',
  'wrong number',
  'never call again',
] as const

export interface UsedStore {
  /** When the use ended. */
  readonly at: number
  /** By operation: how often it did something. */
  readonly done: ReadonlyMap<string, number>
}

/** People with few numbers and addresses, so that many share them. */
export async function fillAtRandom(code: OldCode, file: string, seed: number, hours: object): Promise<UsedStore> {
  const random = createRandom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const pick = <T>(among: readonly T[]): T => among[below(among.length)] as T
  let at = START
  const store = code.open(file, () => at)
  addDesk(file, at)
  const consentVersion = await store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
  const people = Array.from({ length: 20 + below(40) }, (_, index) => newPerson(index, below))
  const hasWebhook = random() < 0.7
  const leads: string[] = []
  const attempts: string[] = []
  const contactByLead = new Map<string, ReturnType<typeof newPerson>>()
  const done = new Map<string, number>()

  const agent = () => {
    const id = pick(AGENTS)
    return { id, name: id }
  }
  const contactsToStop = () => {
    const { email, phone } = pick(people)
    return pick([[{ email }], [{ phone }], [{ email }, { phone }]])
  }
  const ofLead = () => {
    const leadId = pick(leads)
    const { email = '', phone = '' } = contactByLead.get(leadId) ?? {}
    return { leadId, contacts: pick([[{ phone }], [{ email }, { phone }], [{ email }]]), by: agent().name }
  }
  const hasLead = () => leads.length > 0

  async function submit() {
    const contact = pick(people)
    const { id } = await store.capture({
      contact,
      page: '/',
      campaign: {},
      variant: '',
      clientAddress: '192.0.2.1',
      userAgent: 'test',
      certificate: { kind: 'none' },
      trustedForm: 'off',
      consentVersion,
      questionnaireVersion: null,
      language: pick(['en', 'en', 'en', 'es']),
      holdReason: pick(REASONS),
      announceRepeat: random() < 0.3,
    })
    leads.push(id)
    contactByLead.set(id, contact)
    return id
  }

  async function call() {
    const person = agent()
    const next = random() < 0.6 ? await store.callNext({ person, hours }) : null
    const leadId = next ?? pick(leads)
    if (next === null && (await store.claimCall({ leadId, person, takeOver: random() < 0.2 }))?.kind !== 'open')
      return null
    if (random() < 0.08) return store.skipCall({ leadId, person })
    const overrideReason = random() < 0.15 ? 'They asked for it.' : null
    const started =
      random() < 0.85 ? await store.startCall({ leadId, person, hours, overrideReason }) : { kind: 'elsewhere' }
    if (started?.kind === 'blocked') return null
    at += below(8 * MINUTE)
    if (random() < 0.08) return store.withdrawCall({ leadId, person })
    // The agent never says what happened.
    if (random() < 0.08) return started
    const outcome = pick(OUTCOMES)
    const callbackAt = outcome === 'call back' ? at + (1 + below(72)) * HOUR + below(4) * 15 * MINUTE : null
    const saved = await store.saveCall({
      leadId,
      person,
      hours,
      outcome,
      callbackAt,
      note: null,
      announce: hasWebhook,
    })
    if (saved?.kind !== 'saved') return null
    attempts.push(`${saved.attemptId}`)
    if (random() < 0.1) {
      at += below(20 * MINUTE)
      await store.undoCall({ attemptId: saved.attemptId, person, announce: hasWebhook })
    }
    return saved
  }

  /** A stop by mistake, or one that the person takes back, and then an editor approves the lead. */
  async function stopAndReopen() {
    const order = ofLead()
    await store.addToDoNotCall(order)
    at += below(3 * DAY)
    const request = { askedBy: 'the person', askedOn: '2030-01-10' }
    if (random() < 0.7) await store.removeFromDoNotCall({ ...order, request })
    at += below(5 * HOUR)
    return random() < 0.7 ? store.approve({ ids: [order.leadId], by: 'editor' }) : null
  }

  async function deliver() {
    if (!hasWebhook) return null
    const leased = await store.lease({ limit: 1 + below(20), leaseMs: MINUTE })
    for (const lease of leased) {
      const settlement = { ...lease, durationMs: 5, status: 500 }
      const how = random()
      // One in ten: the worker was killed.
      if (how < 0.7) await store.settle({ ...settlement, status: 200, result: 'delivered' })
      else if (how < 0.8)
        await store.settle({ ...settlement, result: 'retry', reason: 'it answered 500', retryInMs: HOUR })
      else if (how < 0.9) await store.settle({ ...settlement, result: 'dead', reason: 'gone' })
    }
    const events = (await store.leaseEvents({ limit: 20, leaseMs: MINUTE })) as unknown as readonly {
      id: string
    }[]
    for (const { id } of events) await store.settleEvent({ id, retryInMs: random() < 0.9 ? null : HOUR })
    return leased
  }

  const uses: readonly (readonly [weight: number, name: string, use: () => Promise<unknown>])[] = [
    [26, 'submit', submit],
    [60, 'call', call],
    [10, 'deliver', deliver],
    [
      2,
      'stop',
      async () => store.addToDoNotCall({ contacts: contactsToStop(), by: pick(['website', 'import', 'maria']) }),
    ],
    [2, 'stop of a lead', async () => store.addToDoNotCall(ofLead())],
    [3, 'undo of a stop', async () => store.undoDoNotCall(ofLead())],
    [
      4,
      'removal',
      async () =>
        store.removeFromDoNotCall({
          contacts: contactsToStop(),
          by: 'editor',
          request: { askedBy: 'the person', askedOn: '2030-01-10' },
        }),
    ],
    [4, 'stop and reopen', stopAndReopen],
    [8, 'approve', async () => store.approve({ ids: [pick(leads)], by: 'editor' })],
    [3, 'reject', async () => store.reject({ ids: [pick(leads)], by: 'editor', reason: 'spam' })],
    [1, 'erase', async () => store.erase({ ids: [pick(leads)], by: 'editor', key: ERASURE_KEY })],
    [
      3,
      'place',
      async () =>
        store.setCallPlace({ leadId: pick(leads), value: pick(['CA Pacific', 'TX Central', null]), by: 'maria' }),
    ],
    [2, 'language', async () => store.setLeadLanguage({ leadId: pick(leads), value: pick(['en', 'es']), by: 'maria' })],
  ]
  const weighted = uses.flatMap(([weight, name, use]) => Array.from({ length: weight }, () => ({ name, use })))
  const steps = 60 + below(240)
  for (let step = 0; step < steps; step++) {
    // Mostly minutes, sometimes a night or a weekend. Most happens while calls are allowed.
    at += random() < 0.08 ? below(2 * DAY) : below(25 * MINUTE)
    while (random() < 0.9 && !isWorkday(at)) at += HOUR
    const { name, use } = pick(weighted)
    if (name !== 'submit' && !hasLead()) continue
    if (await use()) done.set(name, (done.get(name) ?? 0) + 1)
  }
  await store.close()
  return { at, done }
}

/** Ten to seven in New York, Monday to Friday. */
function isWorkday(at: number): boolean {
  const time = new Date(at - 5 * HOUR)
  return time.getUTCHours() >= 10 && time.getUTCHours() < 19 && ![0, 6].includes(time.getUTCDay())
}

const AREA_CODES = ['212', '305', '415', '512', '800', '850', '702'] as const

function newPerson(index: number, below: (end: number) => number) {
  const shared = below(3) === 0
  const which = shared ? below(4) : 10 + index
  return {
    firstName: `Person${shared ? below(3) : index}`,
    lastName: 'Lovelace',
    dateOfBirth: `196${below(3)}-12-10`,
    email: `person${below(5) === 0 ? below(4) : 10 + index}@example.org`,
    phone: `(${AREA_CODES[which % AREA_CODES.length]}) 555-01${String(which).padStart(2, '0')}`,
  }
}

/** Agents who speak both languages, more than there are people to call. */
export const CALLERS: readonly string[] = Array.from({ length: 60 }, (_, index) => `caller${index}`)

function addDesk(file: string, at: number): void {
  const database = new DatabaseSync(file)
  const add = database.prepare(
    `INSERT INTO desk_people (id, name, name_key, role, handle, invited_at, languages) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const id of [...AGENTS, ...CALLERS]) add.run(id, id, id, 'caller', id, at, 'en es')
  database.close()
}
